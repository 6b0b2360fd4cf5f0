/** Opens the record of a game from a file. */

import { h, navigate, toast } from "../dom.js";
import { post } from "../net/api.js";

const LARGEST = 2_000_000;

class RecordUpload extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.file = h("input", {
      type: "file", accept: ".json,application/json", class: "visually-hidden",
      onchange: () => this.send(),
    });
    this.append(h("label", { class: "button" }, "Open a record…", this.file));
  }

  async send() {
    const file = this.file?.files?.[0];
    if (!file) return;
    try {
      if (file.size > LARGEST) throw new Error("This file is too large for a record.");
      const made = await post("/api/records", await file.text());
      navigate(`/play?game=${made.id}&pos=0`);
    } catch (error) {
      toast(String(/** @type {Error} */ (error).message), "error");
    }
  }
}

customElements.define("record-upload", RecordUpload);
