// Which formation is chosen. Map, card and order form all ask and tell this one.

export class Selection extends EventTarget {
  formation = "";

  /** Choose a formation by its id, "" for none. Sends "change" when it is another. */
  choose(id) {
    if (id === this.formation) return;
    this.formation = id;
    this.dispatchEvent(new Event("change"));
  }
}
