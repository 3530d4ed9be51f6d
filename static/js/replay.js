// A battle watched: the replay's frames played on the table, by buttons, slider or keys.

import { course, turnStarts } from "./replay/course.js";
import { Table } from "./replay/table.js";
import { Words, told } from "./replay/words.js";

const SHORT = 1050; // milliseconds of a frame at usual speed, without its dice
const DIE = 420;
const LINE = 160;
const NARROW = 700;

class Player {
  constructor(root, replay) {
    this.root = root;
    this.replay = replay;
    this.states = course(replay);
    this.starts = turnStarts(replay.frames);
    this.n = 0;
    this.playing = false;
    this.table = new Table(root.querySelector("svg.battlefield"), replay);
    this.words = new Words(root, replay, (n) => this.go(n));
    this.slider = this.#control("slider");
    this.slider.max = String(replay.frames.length);
    this.turns = this.#control("turns");
    this.speed = this.#control("speed");
    this.#fillTurns();
    this.#wire();
    this.show();
  }

  #control(name) {
    return this.root.querySelector(`[data-replay-${name}]`);
  }

  #fillTurns() {
    this.turns.append(new Option("Drawn up", "0"));
    for (const n of this.starts) {
      const frame = this.replay.frames[n - 1];
      this.turns.append(new Option(frame.t ? `Turn ${frame.t}, ${this.replay.sides[frame.s]}` : "The first move", String(n)));
    }
  }

  #wire() {
    const acts = {
      play: () => this.toggle(),
      back: () => this.go(this.n - 1),
      forward: () => this.go(this.n + 1),
      "turn-back": () => this.turn(-1),
      "turn-forward": () => this.turn(1),
      follow: () => this.#follow(!this.table.follow),
    };
    for (const [name, act] of Object.entries(acts)) this.#control(name).addEventListener("click", act);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.turns.addEventListener("change", () => this.go(Number(this.turns.value)));
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.pause(); });
    this.#follow(innerWidth < NARROW);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inControl = event.target.closest("button, a, select, input, summary");
    const keys = {
      ArrowLeft: () => (event.shiftKey ? this.turn(-1) : this.go(this.n - 1)),
      ArrowRight: () => (event.shiftKey ? this.turn(1) : this.go(this.n + 1)),
      Home: () => this.go(0),
      End: () => this.go(this.replay.frames.length),
    };
    // space presses a button that has the focus, arrows move in a list or slider
    if (event.key === " " && !inControl) keys[" "] = () => this.toggle();
    if (event.target.closest("select, input")) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #follow(follow) {
    this.#control("follow").setAttribute("aria-pressed", String(follow));
    const state = this.states[this.n];
    this.table.setFollow(follow, this.replay.frames[this.n - 1] ?? null, state, this.states[this.n - 1] ?? state);
  }

  /** Show a frame, by its number; whoever asks for it himself stops the play. */
  go(n) {
    this.pause();
    this.n = Math.min(Math.max(0, n), this.replay.frames.length);
    this.show();
  }

  /** To the beginning of the player turn before or after. */
  turn(by) {
    const later = this.starts.find((start) => start > this.n) ?? this.replay.frames.length;
    const earlier = this.starts.findLast((start) => start < this.n) ?? 0;
    this.go(by > 0 ? later : earlier);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.n >= this.replay.frames.length) this.n = 0;
    this.playing = true;
    this.#button();
    this.#next();
  }

  pause() {
    clearTimeout(this.timer);
    this.playing = false;
    this.#button();
  }

  #next() {
    if (!this.playing) return;
    if (this.n >= this.replay.frames.length) {
      this.pause();
      return;
    }
    this.n += 1;
    this.show();
    this.timer = setTimeout(() => this.#next(), this.#lasts());
  }

  #lasts() {
    const lines = this.replay.frames[this.n - 1].e;
    const dice = lines.filter((line) => line.d).length;
    const words = Math.min(lines.filter((line) => line.d || line.r).length, 5);
    return (SHORT + dice * DIE + words * LINE) / Number(this.speed.value);
  }

  #button() {
    const button = this.#control("play");
    button.textContent = this.playing ? "Pause" : "Play";
    button.setAttribute("aria-label", `${button.textContent} the battle`);
  }

  show() {
    const frame = this.replay.frames[this.n - 1] ?? null;
    const state = this.states[this.n];
    const before = this.states[this.n - 1] ?? state;
    this.table.show(state, frame, before, this.n === this.last + 1);
    this.last = this.n;
    this.words.show(this.n, state);
    this.slider.value = String(this.n);
    this.slider.setAttribute("aria-valuetext", frame ? `Turn ${frame.t}, ${told(frame)}` : "Drawn up");
    const start = this.starts.findLast((one) => one <= this.n) ?? 0;
    this.turns.value = String(start);
    this.#control("back").disabled = this.n === 0;
    this.#control("forward").disabled = this.n === this.replay.frames.length;
    this.root.dataset.frame = String(this.n);
  }
}

async function start(root) {
  const answer = await fetch(root.dataset.replay, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${root.dataset.replay}: ${answer.status}`);
  const player = new Player(root, await answer.json());
  root.classList.add("ready");
  root.dataset.frames = String(player.replay.frames.length);
}

const root = document.querySelector("[data-replay]");
if (root) {
  start(root).catch((error) => {
    root.classList.add("failed");
    console.error(error);
  });
}
