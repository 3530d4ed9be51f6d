// Maps broader than the screen begin with their middle in sight, where the week's last battle is.
"use strict";

for (const map of document.querySelectorAll(".drawing")) {
  map.scrollLeft = (map.scrollWidth - map.clientWidth) / 2;
}
