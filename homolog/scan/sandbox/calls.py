"""The system calls that measuring needs, by name, and their numbers on each processor."""

from __future__ import annotations

X86_64 = {
    "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7, "lseek": 8, "mmap": 9,
    "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "ioctl": 16,
    "pread64": 17, "readv": 19, "writev": 20, "access": 21, "pipe": 22, "select": 23, "sched_yield": 24, "mremap": 25,
    "madvise": 28, "dup": 32, "dup2": 33, "nanosleep": 35, "getpid": 39, "socket": 41, "socketpair": 53, "clone": 56, "fork": 57,
    "vfork": 58, "execve": 59, "exit": 60, "wait4": 61, "kill": 62, "uname": 63, "fcntl": 72, "ftruncate": 77, "getcwd": 79,
    "readlink": 89, "gettimeofday": 96, "getrlimit": 97, "getrusage": 98, "sysinfo": 99, "times": 100, "ptrace": 101,
    "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110, "sigaltstack": 131, "arch_prctl": 158,
    "setrlimit": 160, "gettid": 186, "tkill": 200, "time": 201, "futex": 202, "sched_getaffinity": 204, "getdents64": 217,
    "set_tid_address": 218, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
    "exit_group": 231, "tgkill": 234, "mbind": 237, "openat": 257, "newfstatat": 262, "readlinkat": 267, "faccessat": 269,
    "pselect6": 270, "ppoll": 271, "set_robust_list": 273, "dup3": 292, "pipe2": 293, "prlimit64": 302, "getcpu": 309,
    "getrandom": 318, "memfd_create": 319, "execveat": 322, "membarrier": 324, "statx": 332, "rseq": 334,
}  # fmt: skip

AARCH64 = {
    "getcwd": 17, "dup": 23, "dup3": 24, "fcntl": 25, "ioctl": 29, "ftruncate": 46, "faccessat": 48, "openat": 56, "close": 57,
    "pipe2": 59, "getdents64": 61, "lseek": 62, "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pselect6": 72,
    "ppoll": 73, "readlinkat": 78, "newfstatat": 79, "fstat": 80, "exit": 93, "exit_group": 94, "set_tid_address": 96, "futex": 98,
    "set_robust_list": 99, "nanosleep": 101, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "ptrace": 117,
    "sched_getaffinity": 123, "sched_yield": 124, "restart_syscall": 128, "kill": 129, "tkill": 130, "tgkill": 131,
    "sigaltstack": 132, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "times": 153, "uname": 160,
    "getrlimit": 163, "setrlimit": 164, "getrusage": 165, "getcpu": 168, "gettimeofday": 169, "getpid": 172, "getppid": 173,
    "getuid": 174, "geteuid": 175, "getgid": 176, "getegid": 177, "gettid": 178, "sysinfo": 179, "socket": 198, "socketpair": 199,
    "brk": 214, "munmap": 215, "mremap": 216, "clone": 220, "execve": 221, "mmap": 222, "mprotect": 226, "madvise": 233,
    "mbind": 235, "wait4": 260, "prlimit64": 261, "getrandom": 278, "memfd_create": 279, "execveat": 281, "membarrier": 283,
    "statx": 291, "rseq": 293,
}  # fmt: skip

FREE = (
    *("read", "write", "readv", "writev", "pread64", "lseek", "close", "dup", "dup2", "dup3", "fcntl", "ftruncate"),
    *("pipe", "pipe2", "poll", "ppoll", "select", "pselect6"),
    *("fstat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "readlink", "readlinkat", "getcwd", "getdents64"),
    *("mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "mbind", "membarrier"),
    *("futex", "sched_yield", "sched_getaffinity", "getcpu", "set_robust_list", "set_tid_address", "rseq", "arch_prctl"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"),
    *("clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times"),
    *("getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "uname", "sysinfo", "getrandom"),
    *("getrusage", "getrlimit", "exit", "exit_group"),
)
"""What may be called with any arguments: computing, reading, and writing to what is open already."""

FORBIDDEN = ("socket", "socketpair", "execve", "execveat", "ptrace", "kill", "tkill", "vfork", "fork")
"""What is answered with "not permitted"; everything that stands nowhere here is answered with "there is no such call"."""
