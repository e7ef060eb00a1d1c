// What the tests ask of a page in the browser. Each function gives a list of complaints, which should be empty.
(() => {
  const isShown = (box) => {
    const { width, height } = box.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(box).visibility === "visible" && !box.closest(".skip");
  };
  const name = (box) => `${box.tagName}.${box.getAttribute("class") || ""}: ${box.textContent.trim().slice(0, 60)}`;
  const hasOwnText = (box) => [...box.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const isOffPage = (box) => box.getBoundingClientRect().right < 0; // what only screen readers meet

  // Boxes whose text is wider than they are and that do not scroll: it is cut off, or lies over what is beside them.
  function clipped() {
    return [...document.querySelectorAll("body *:not(svg, svg *)")]
      .filter((box) => isShown(box) && !isOffPage(box))
      .filter((box) => {
        const { display, overflowX, overflowY } = getComputedStyle(box);
        if (display.startsWith("inline") || display === "contents") return false;
        const isCut = ["hidden", "clip"];
        const isWide = box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0;
        const isHigh = box.scrollHeight > box.clientHeight + 1 && box.clientHeight > 0;
        if (isCut.includes(overflowX) && isWide) return true;
        if (isCut.includes(overflowY) && isHigh) return true;
        return hasOwnText(box) && isWide && overflowX === "visible";
      })
      .map(name);
  }

  // Text in pictures that lies outside of the picture, or of the shape that it is the label of.
  function outside() {
    const exceeds = (inner, outer) =>
      inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
    return [...document.querySelectorAll("svg text")].filter(isShown).filter((text) => {
      const place = text.getBoundingClientRect();
      if (exceeds(place, text.ownerSVGElement.getBoundingClientRect())) return true;
      const shape = shapeOf(text);
      if (!shape) return false;
      const frame = shape.getBoundingClientRect();
      return place.left < frame.left - 1 || place.right > frame.right + 1;
    }).map(name);
  }

  function shapeOf(text) {
    if (text.parentElement.tagName !== "g") return null;
    return text.parentElement.querySelector(":scope > rect, :scope > circle, :scope > path[fill]:not([fill=none]), :scope > .wrong");
  }

  // Letters that are smaller on the screen than can be read.
  function tiny(least) {
    return [...document.querySelectorAll("body *")].filter(isShown).filter((box) => {
      if (!hasOwnText(box) || box.tagName === "title") return false;
      const matrix = box.ownerSVGElement ? box.getScreenCTM() : null;
      return parseFloat(getComputedStyle(box).fontSize) * (matrix ? matrix.a : 1) < least;
    }).map(name);
  }

  // ---------------------------------------------------------------- contrast

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function rgb(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  }
  function luminance([red, green, blue]) {
    const linear = [red, green, blue].map((part) => part / 255).map((p) => (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }
  function contrast(one, other) {
    const [low, high] = [luminance(rgb(one)), luminance(rgb(other))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }
  function ground(box) {
    for (let at = box; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (rgb(colour)[3] === 255) return colour;
    }
    return "white";
  }

  // Text with less contrast to what is behind it than guidelines ask for. Pictures by Graphviz are turned round as a
  // whole in the dark, which computed colours do not show.
  function faint() {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    return [...document.querySelectorAll("body *")].filter((box) => isShown(box) && hasOwnText(box)).flatMap((box) => {
      if (box.tagName === "title" || (isDark && box.closest(".graphviz"))) return [];
      const style = getComputedStyle(box);
      const shape = box.ownerSVGElement ? shapeOf(box) : null;
      const behind = shape ? getComputedStyle(shape).fill : ground(box.ownerSVGElement ? box.ownerSVGElement.parentElement : box);
      const ratio = contrast(box.ownerSVGElement ? style.fill : style.color, behind);
      return ratio < 4.5 ? [`${ratio.toFixed(2)} ${name(box)}`] : [];
    });
  }

  window.checks = { clipped, outside, tiny, faint };
})();
