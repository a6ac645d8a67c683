// The scan in 3D: turn it, cut it, measure on it. The page's pictures say the same where this file or WebGL 2 is missing.
"use strict";

const MOST_REGIONS = 8;
const TINTS = { nonconform: [0.78, 0.1, 0.1], inconclusive: [0.9, 0.6, 0.1], needs_judgement: [0.9, 0.6, 0.1] };
const COLOURS = { repaired: [0.5, 0.35, 0.85] };
const STEP = Math.PI / 24;

const VERTEX = `#version 300 es
in vec3 place;
uniform mat3 turn; uniform vec3 middle; uniform vec4 scale; uniform vec2 shift;
out vec3 at;
void main() {
  at = place;
  vec3 seen = (place - middle) * turn;
  gl_Position = vec4((seen.xy + shift) * scale.xy, -seen.z * scale.z, 1.0);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 at;
uniform vec3 colour, eye, light; uniform vec4 cut;
uniform int regions; uniform vec3 axis[${MOST_REGIONS}]; uniform vec3 kept[${MOST_REGIONS}]; uniform vec3 tint[${MOST_REGIONS}];
out vec4 shown;
void main() {
  if (dot(cut.xyz, at) > cut.w) discard;
  vec3 base = colour;
  for (int i = 0; i < regions; i++) {
    float along = dot(axis[i], at);
    if (at.z >= kept[i].z && (along < kept[i].x || along > kept[i].y)) base = tint[i];
  }
  vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
  normal *= sign(dot(normal, eye) + 1e-9);
  float shade = gl_FrontFacing ? 0.38 + 0.62 * max(dot(normal, light), 0.0) : 0.45;
  shown = vec4(base * shade, 1.0);
}`;

// A GLB file of ours: one buffer, triangles, metres with y upward. Returned in mm with z upward, as the rules speak.
function readGlb(bytes) {
  const view = new DataView(bytes.buffer);
  if (view.getUint32(0, true) !== 0x46546c67) throw new Error("no GLB");
  const length = view.getUint32(12, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const start = 28 + length;
  const values = (at, Kind, size) => {
    const { bufferView, count } = head.accessors[at];
    const from = start + head.bufferViews[bufferView].byteOffset;
    return new Kind(bytes.buffer.slice(from, from + count * size * Kind.BYTES_PER_ELEMENT));
  };
  return head.meshes.map((mesh) => {
    const part = mesh.primitives[0];
    const raw = values(part.attributes.POSITION, Float32Array, 3);
    const points = new Float32Array(raw.length);
    for (let i = 0; i < raw.length; i += 3) {
      points[i] = raw[i] * 1000;
      points[i + 1] = -raw[i + 2] * 1000;
      points[i + 2] = raw[i + 1] * 1000;
    }
    const colour = COLOURS[mesh.name] ?? head.materials[part.material].pbrMetallicRoughness.baseColorFactor.slice(0, 3);
    return { name: mesh.name, points, faces: values(part.indices, Uint32Array, 1), colour, regions: [], isShown: true };
  });
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const less = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const times = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const long = Math.hypot(...a) || 1; return [a[0] / long, a[1] / long, a[2] / long]; };
const point = (mesh, i) => [mesh.points[3 * i], mesh.points[3 * i + 1], mesh.points[3 * i + 2]];

function extent(meshes, axis, floor = -Infinity) {
  let low = Infinity, high = -Infinity;
  for (const mesh of meshes) {
    for (let i = 0; i < mesh.points.length / 3; i++) {
      if (mesh.points[3 * i + 2] < floor) continue;
      const along = dot(axis, point(mesh, i));
      low = Math.min(low, along);
      high = Math.max(high, along);
    }
  }
  return [low, high];
}

function mean(mesh) {
  const sum = [0, 0, 0], count = mesh.points.length / 3;
  for (let i = 0; i < mesh.points.length; i++) sum[i % 3] += mesh.points[i];
  return sum.map((value) => value / count);
}

// The rod's way out of the body, and where along it the body ends; null without a rod.
function rodOf(meshes) {
  const body = meshes.find((mesh) => mesh.name === "body"), rod = meshes.find((mesh) => mesh.name === "rod");
  if (!body || !rod) return null;
  const from = mean(body), rough = unit(less(mean(rod), from));
  const [low, high] = extent([rod], rough), ends = [[0, 0, 0], [0, 0, 0]], counts = [0, 0];
  for (let i = 0; i < rod.points.length / 3; i++) {
    const place = point(rod, i), share = (dot(rough, place) - low) / (high - low);
    if (share < 0.2 || share > 0.8) {
      const end = share < 0.2 ? 0 : 1;
      ends[end] = plus(ends[end], place);
      counts[end] += 1;
    }
  }
  if (!counts[0] || !counts[1]) return null;
  const axis = unit(less(ends[1].map((v) => v / counts[1]), ends[0].map((v) => v / counts[0])));
  return { axis, root: extent([rod], axis)[0] };
}

// Along a ray, the nearest face that is shown and not cut away.
function hit(meshes, from, way, cut) {
  let best = Infinity;
  for (const mesh of meshes) {
    if (!mesh.isShown) continue;
    for (let i = 0; i < mesh.faces.length; i += 3) {
      const a = point(mesh, mesh.faces[i]), ab = less(point(mesh, mesh.faces[i + 1]), a), ac = less(point(mesh, mesh.faces[i + 2]), a);
      const p = times(way, ac), span = dot(ab, p);
      if (Math.abs(span) < 1e-12) continue;
      const s = less(from, a), u = dot(s, p) / span;
      if (u < 0 || u > 1) continue;
      const q = times(s, ab), v = dot(way, q) / span;
      if (v < 0 || u + v > 1) continue;
      const far = dot(ac, q) / span;
      if (far > 0 && far < best && dot(cut.slice(0, 3), plus(from, way, far)) <= cut[3]) best = far;
    }
  }
  return best < Infinity ? plus(from, way, best) : null;
}

class Viewer {
  constructor(box, meshes, places) {
    this.box = box;
    this.canvas = box.querySelector("canvas");
    this.gl = this.canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: false });
    if (this.gl === null) throw new Error("no WebGL 2");
    this.meshes = meshes;
    this.rod = rodOf(meshes);
    this.sides = [0, 1, 2].map((k) => extent(meshes, [+(k === 0), +(k === 1), +(k === 2)]));
    this.middle = this.sides.map(([low, high]) => (low + high) / 2);
    this.radius = Math.hypot(...this.sides.map(([low, high]) => high - low)) / 2;
    this.picked = [];
    this.marks = [];
    this.lay(places);
    this.program = this.link();
    for (const mesh of meshes) this.load(mesh);
    this.home();
    this.cutAt("none");
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  link() {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "place");
    gl.linkProgram(program);
    this.at = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(program, i).name.replace("[0]", "");
      this.at[name] = gl.getUniformLocation(program, name);
    }
    return program;
  }

  load(mesh) {
    const gl = this.gl;
    mesh.array = gl.createVertexArray();
    gl.bindVertexArray(mesh.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, mesh.points, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.faces, gl.STATIC_DRAW);
  }

  // Turns what the page says of a finding into what is coloured: beyond a length from below or from the middle, or a whole part.
  lay(places) {
    for (const place of places) {
      const meshes = this.meshes.filter((mesh) => place.meshes.includes(mesh.name));
      if (!meshes.length) continue;
      const k = { x: 0, y: 1, z: 2 }[place.axis] ?? 2;
      const axis = [+(k === 0), +(k === 1), +(k === 2)];
      const [low, high] = extent(meshes, axis, place.floor);
      let kept = [Infinity, -Infinity, place.floor];
      if (place.how === "from_below") kept = [-Infinity, low + place.most, place.floor];
      if (place.how === "from_middle") kept = [(low + high - place.most) / 2, (low + high + place.most) / 2, place.floor];
      for (const mesh of meshes) {
        if (mesh.regions.length < MOST_REGIONS) mesh.regions.push({ axis, kept, tint: TINTS[place.verdict] ?? TINTS.inconclusive });
      }
      const best = { along: -Infinity, at: mean(meshes[0]) };
      if (place.how !== "whole") {
        for (const mesh of meshes) {
          for (let i = 0; i < mesh.points.length / 3; i++) {
            const along = dot(axis, point(mesh, i));
            if (along > best.along && point(mesh, i)[2] >= place.floor) { best.along = along; best.at = point(mesh, i); }
          }
        }
      }
      this.marks.push({ at: best.at, label: this.tag(place.label, "spot") });
    }
  }

  tag(text, kind) {
    const label = document.createElement("span");
    label.className = `tag is-${kind}`;
    label.textContent = text;
    label.setAttribute("aria-hidden", "true");
    this.box.querySelector(".tags").append(label);
    return label;
  }

  // Where one looks from; `b` is the height of the eye, `a` the way round.
  get frame() {
    const { a, b } = this;
    const toward = [Math.sin(a) * Math.cos(b), -Math.cos(a) * Math.cos(b), Math.sin(b)];
    const up = [-Math.sin(a) * Math.sin(b), Math.cos(a) * Math.sin(b), Math.cos(b)];
    return { right: [Math.cos(a), Math.sin(a), 0], up, toward };
  }

  look(side) {
    // The front is where the rod leaves behind.
    const front = this.rod !== null && this.rod.axis[1] < 0 ? Math.PI : 0;
    const [a, b] = { front: [0, 0], side: [Math.PI / 2, 0], top: [0, Math.PI / 2], aslant: [0.6, 0.35] }[side];
    this.a = front + a;
    this.b = b;
    this.fit(this.meshes);
  }

  // Brings meshes into the picture as large as they go.
  fit(meshes) {
    const { right, up } = this.frame, { clientWidth: wide, clientHeight: high } = this.canvas;
    const [left, far] = extent(meshes, right), [low, top] = extent(meshes, up);
    this.shift = [dot(this.middle, right) - (left + far) / 2, dot(this.middle, up) - (low + top) / 2];
    this.zoom = 1;
    const mm = Math.max((far - left) / (wide || 1), (top - low) / (high || 1)) * 1.12;
    this.zoom = this.pitch / mm;
    this.draw();
  }

  home() {
    this.look("aslant");
  }

  turn(across, upward) {
    this.a -= across;
    this.b = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.b + upward));
    this.draw();
  }

  nearer(factor) {
    this.zoom = Math.min(60, Math.max(0.3, this.zoom * factor));
    this.draw();
  }

  // mm on the model for one pixel on the page.
  get pitch() {
    return (2.1 * this.radius) / (this.zoom * Math.min(this.canvas.clientWidth, this.canvas.clientHeight) || 1);
  }

  move(x, y) {
    this.shift = [this.shift[0] + x * this.pitch, this.shift[1] - y * this.pitch];
    this.draw();
  }

  cutAt(way) {
    const slider = this.box.querySelector("[name=cut-at]");
    this.way = way;
    slider.disabled = way === "none";
    if (way !== "none") {
      this.axis = way === "rod" ? this.rod.axis : { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[way];
      const [low, high] = extent(this.meshes, this.axis);
      slider.min = low.toFixed(2);
      slider.max = high.toFixed(2);
      slider.step = "0.05";
      slider.value = (way === "rod" ? this.rod.root : (low + high) / 2).toFixed(2);
    }
    this.draw();
  }

  get cut() {
    return this.way === "none" ? [0, 0, 0, 1] : [...this.axis, Number(this.box.querySelector("[name=cut-at]").value)];
  }

  draw() {
    const { gl, canvas, at } = this, sharp = window.devicePixelRatio || 1;
    if (this.way === undefined) return;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * sharp));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * sharp));
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(this.program);
    const { right, up, toward } = this.frame, mm = this.pitch;
    gl.uniformMatrix3fv(at.turn, false, [...right, ...up, ...toward]);
    gl.uniform3fv(at.middle, this.middle);
    gl.uniform4f(at.scale, 2 / (mm * canvas.clientWidth), 2 / (mm * canvas.clientHeight), 0.5 / this.radius, 0);
    gl.uniform2fv(at.shift, this.shift);
    gl.uniform3fv(at.eye, toward);
    gl.uniform3fv(at.light, unit(plus(plus(toward, up, 0.5), right, -0.35)));
    gl.uniform4fv(at.cut, this.cut);
    for (const mesh of this.meshes) {
      if (!mesh.isShown) continue;
      gl.uniform3fv(at.colour, mesh.colour);
      gl.uniform1i(at.regions, mesh.regions.length);
      if (mesh.regions.length) {
        gl.uniform3fv(at.axis, mesh.regions.flatMap((region) => region.axis));
        gl.uniform3fv(at.kept, mesh.regions.flatMap((region) => region.kept.map((v) => Math.min(1e6, Math.max(-1e6, v)))));
        gl.uniform3fv(at.tint, mesh.regions.flatMap((region) => region.tint));
      }
      // What was repaired lies in the surface that it mends.
      if (mesh.name === "repaired") { gl.enable(gl.POLYGON_OFFSET_FILL); gl.polygonOffset(-2, -2); }
      gl.bindVertexArray(mesh.array);
      gl.drawElements(gl.TRIANGLES, mesh.faces.length, gl.UNSIGNED_INT, 0);
      gl.disable(gl.POLYGON_OFFSET_FILL);
    }
    for (const mark of [...this.marks, ...this.picked]) this.put(mark);
  }

  put(mark) {
    const { right, up } = this.frame, off = less(mark.at, this.middle), { clientWidth: wide, clientHeight: high } = this.canvas;
    const x = wide / 2 + (dot(off, right) + this.shift[0]) / this.pitch, y = high / 2 - (dot(off, up) + this.shift[1]) / this.pitch;
    const isIn = x >= 0 && y >= 0 && x <= wide && y <= high;
    mark.label.hidden = !isIn;
    if (!isIn) return;
    // Above the place rather than on it, so that what is coloured stays to be seen.
    const { offsetWidth: long, offsetHeight: tall } = mark.label;
    const left = Math.min(Math.max(0, x - long / 2), wide - long), top = y - tall - 6 >= 0 ? y - tall - 6 : Math.min(y + 14, high - tall);
    mark.label.style.transform = `translate(${left}px, ${top}px)`;
  }

  pick(x, y) {
    const { right, up, toward } = this.frame, { clientWidth: wide, clientHeight: high } = this.canvas;
    const across = (x - wide / 2) * this.pitch - this.shift[0], upward = (high / 2 - y) * this.pitch - this.shift[1];
    const from = plus(plus(plus(this.middle, right, across), up, upward), toward, 3 * this.radius);
    const found = hit(this.meshes, from, toward.map((v) => -v), this.cut);
    if (found === null) return;
    if (this.picked.length === 2) this.forget();
    this.picked.push({ at: found, label: this.tag("AB"[this.picked.length], "point") });
    this.say();
    this.draw();
  }

  forget() {
    for (const mark of this.picked) mark.label.remove();
    this.picked = [];
    this.say();
    this.draw();
  }

  say() {
    const said = this.box.querySelector("[data-distance]"), { one, two, none, mark } = said.dataset;
    const text = [none, one, two][this.picked.length];
    const length = this.picked.length === 2 ? Math.hypot(...less(this.picked[1].at, this.picked[0].at)).toFixed(2) : "";
    said.textContent = text.replace("{length}", length.replace(".", mark));
    said.dataset.distance = length;
  }

  listen() {
    const { canvas, box } = this, held = new Map();
    let moved = 0, apart = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, [event.offsetX, event.offsetY]);
      moved = 0;
      apart = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const was = held.get(event.pointerId);
      if (was === undefined) return;
      const x = event.offsetX - was[0], y = event.offsetY - was[1];
      held.set(event.pointerId, [event.offsetX, event.offsetY]);
      moved += Math.abs(x) + Math.abs(y);
      if (held.size > 1) {
        const [first, second] = [...held.values()], now = Math.hypot(first[0] - second[0], first[1] - second[1]);
        if (apart > 0) this.nearer(now / apart);
        apart = now;
        this.move(x / 2, y / 2);
      } else if (event.shiftKey || event.buttons === 4) this.move(x, y);
      else this.turn(x * 0.01, y * 0.01);
    });
    const release = (event) => {
      const isClick = event.type === "pointerup" && held.size === 1 && moved < 4 && apart === 0;
      held.delete(event.pointerId);
      apart = 0;
      if (isClick) this.pick(event.offsetX, event.offsetY);
    };
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, release);
    // Only with a key held, or the page could not be scrolled past the model.
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      event.preventDefault();
      this.nearer(Math.exp(-event.deltaY * 0.002));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.press(event));
    box.querySelector("[name=cut-way]").addEventListener("change", (event) => this.cutAt(event.target.value));
    box.querySelector("[name=cut-at]").addEventListener("input", () => this.draw());
    for (const button of box.querySelectorAll("button[data-do]")) {
      button.addEventListener("click", () => this.act(button.dataset.do));
    }
    for (const tick of box.querySelectorAll("input[name=part]")) {
      const mesh = this.meshes.find((one) => one.name === tick.value);
      tick.closest("label").hidden = mesh === undefined;
      tick.addEventListener("change", () => { mesh.isShown = tick.checked; this.draw(); });
    }
    for (const option of box.querySelectorAll("option[value=rod]")) option.hidden = option.disabled = this.rod === null;
  }

  act(what) {
    const body = this.meshes.filter((mesh) => mesh.name === "body");
    const does = {
      body: () => this.fit(body.length ? body : this.meshes),
      home: () => this.home(), nearer: () => this.nearer(1.25), farther: () => this.nearer(0.8), forget: () => this.forget(),
      left: () => this.turn(-STEP, 0), right: () => this.turn(STEP, 0), up: () => this.turn(0, -STEP), down: () => this.turn(0, STEP),
    };
    (does[what] ?? (() => this.look(what)))();
  }

  press(event) {
    const { key, shiftKey } = event;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (key in ways && shiftKey) this.move(ways[key][0] * 20, ways[key][1] * 20);
    else if (key in ways) this.turn(ways[key][0] * STEP, ways[key][1] * STEP);
    else if (key === "+" || key === "=") this.nearer(1.25);
    else if (key === "-") this.nearer(0.8);
    else if (key === "Home" || key === "0") this.home();
    else if (key === "Enter" || key === " ") this.pick(this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
    else if (key === "Backspace" || key === "Delete") this.forget();
    else return;
    event.preventDefault();
  }
}

function bytesOf(link) {
  const text = atob(link.href.slice(link.href.indexOf(",") + 1)), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// A browser may refuse to save a long address of data, and never one of its own memory.
function easier(link) {
  link.href = URL.createObjectURL(new Blob([bytesOf(link)], { type: link.type }));
}

const box = document.getElementById("viewer");
if (box !== null) {
  const places = [...box.querySelectorAll("[data-meshes]")].map(({ dataset }) => ({
    meshes: dataset.meshes.split(" "), axis: dataset.axis, how: dataset.how, most: Number(dataset.most), verdict: dataset.verdict,
    floor: dataset.floor === "" ? -Infinity : Number(dataset.floor) + 0.2,
    label: dataset.label,
  }));
  box.hidden = false;
  try {
    new Viewer(box, readGlb(bytesOf(document.getElementById("mesh"))), places);
    document.getElementById("no-viewer").hidden = true;
  } catch (error) {
    box.hidden = true; // the pictures below say the same
  }
}
for (const link of document.querySelectorAll("a[href^='data:']")) easier(link);
