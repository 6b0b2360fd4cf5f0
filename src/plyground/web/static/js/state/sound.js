/** A short click for every move, off unless the visitor turns it on. */

import { preference, setPreference } from "./preferences.js";

/** @type {AudioContext|null} */
let context = null;

export const soundIsOn = () => preference("sound", "off") === "on";

/** @returns {boolean} whether it is on now */
export function toggleSound() {
  setPreference("sound", soundIsOn() ? "off" : "on");
  if (soundIsOn()) playSound(520);
  return soundIsOn();
}

/** @param {number} [pitch] in hertz */
export function playSound(pitch = 380) {
  if (!soundIsOn()) return;
  context ??= new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  const now = context.currentTime;
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.13);
}
