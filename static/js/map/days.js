// The slider of days: what the reader's side knew on an earlier morning, and the play of them.

const DAY = 24 * 60 * 60 * 1000;
const PAUSE = 1100; // milliseconds a morning is shown for while the days are played

export class Days {
  /**
   * @param {HTMLFormElement} form with data-start (the first morning, ISO) and data-latest (the number of the last)
   * @param {(day: number) => Promise<void>} turnTo draws a morning, counted from 1
   */
  constructor(form, turnTo) {
    this.form = form;
    this.turnTo = turnTo;
    this.slider = form.querySelector("input[type=range]");
    this.told = form.querySelector("output");
    this.play = form.querySelector(".days-play");
    this.start = Date.parse(`${form.dataset.start}T00:00:00Z`);
    this.latest = Number(form.dataset.latest);
    this.day = this.latest;
    this.playing = null;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.querySelector(".days-back").addEventListener("click", () => this.step(-1));
    form.querySelector(".days-on").addEventListener("click", () => this.step(1));
    this.slider.addEventListener("input", () => {
      this.halt();
      this.go(Number(this.slider.value));
    });
    this.play.addEventListener("click", () => (this.playing ? this.halt() : this.run()));
    this.tell();
    form.hidden = this.latest < 2;
  }

  step(days) {
    this.halt();
    this.go(this.day + days);
  }

  /** Turn to a morning; one before the first or after the last is the nearest there is. */
  async go(day) {
    this.day = Math.min(Math.max(day, 1), this.latest);
    this.slider.value = String(this.day);
    this.tell();
    await this.turnTo(this.day);
  }

  /** Play the mornings to the latest, from the first when the latest lies there. */
  async run() {
    const playing = Symbol("playing");
    this.playing = playing;
    this.showPlaying(true);
    let day = this.day >= this.latest ? 1 : this.day + 1;
    while (this.playing === playing && day <= this.latest) {
      await this.go(day);
      day += 1;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
    if (this.playing === playing) this.halt();
  }

  halt() {
    this.playing = null;
    this.showPlaying(false);
  }

  showPlaying(on) {
    this.play.textContent = on ? "Halt" : "Play";
    this.play.setAttribute("aria-label", on ? "Halt the days" : "Play the days");
  }

  /** The date of a morning, in words. */
  words(day) {
    const date = new Date(this.start + (day - 1) * DAY);
    return date.toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  }

  tell() {
    const words = this.day === this.latest ? `${this.words(this.day)}, the latest morning` : `${this.words(this.day)}, day ${this.day}`;
    this.told.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    this.form.querySelector(".days-back").disabled = this.day <= 1;
    this.form.querySelector(".days-on").disabled = this.day >= this.latest;
  }
}
