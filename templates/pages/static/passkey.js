// Passkeys need a script: only a browser's own functions reach the device. The pages work without, by password.
"use strict";

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const says = document.getElementById("passkey-says");

async function send(address, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return told;
}

async function options(address) {
  const answer = await fetch(address, { method: "POST" });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  const found = told.public_key;
  found.challenge = bytes(found.challenge);
  if (found.user) found.user.id = bytes(found.user.id);
  for (const name of ["excludeCredentials", "allowCredentials"]) {
    for (const one of found[name] ?? []) one.id = bytes(one.id);
  }
  return found;
}

function plain(credential) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = text(credential.response[name]);
  }
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response, clientExtensionResults: {} };
}

async function make(button) {
  const name = document.getElementById("passkey_name");
  if (!name.reportValidity()) return;
  const credential = await navigator.credentials.create({ publicKey: await options("/api/v1/passkeys/options") });
  await send("/api/v1/passkeys", { name: name.value, credential: plain(credential) });
  location.assign("/account?done=passkey_made");
}

async function signIn(button) {
  const credential = await navigator.credentials.get({ publicKey: await options("/api/v1/sessions/passkey/options") });
  await send("/api/v1/sessions/passkey", { credential: plain(credential) });
  location.assign(button.dataset.next || "/account");
}

for (const [id, work] of [["passkey-make", make], ["passkey-sign-in", signIn]]) {
  const button = document.getElementById(id);
  if (button === null || !window.PublicKeyCredential) continue;
  document.getElementById("passkey-box").hidden = false;
  button.addEventListener("click", () => {
    says.textContent = "";
    work(button).catch((error) => { says.textContent = error.name === "NotAllowedError" ? says.dataset.given_up : error.message; });
  });
}
