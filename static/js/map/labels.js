// Names are placed greatest first; one that would cover another or a block waits for more room.

const MARGIN = 2;

export function settleLabels(container, labels) {
  for (const label of labels) label.classList.remove("crowded");
  const far = container.classList.contains("far");
  const taken = [...container.querySelectorAll(".stack-inner .block")].map(box);
  const boxes = labels.map((label) => box(label));
  labels.forEach((label, i) => {
    const minor = far && label.closest(".place-minor") !== null;
    if (minor || taken.some((other) => overlap(boxes[i], other))) {
      label.classList.add("crowded");
    } else {
      taken.push(boxes[i]);
    }
  });
}

function box(element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { left: left - MARGIN, right: right + MARGIN, top, bottom };
}

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
