// Drawings broader than the screen begin with their middle in sight; of a map the week's last battle is there.
"use strict";

for (const map of document.querySelectorAll(".drawing")) {
  map.scrollLeft = (map.scrollWidth - map.clientWidth) / 2;
}
