// Small helpers: nodes are built, never parsed, so that no name can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with properties and children; null children are left out. */
export function node(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An SVG element with attributes and children. */
export function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
