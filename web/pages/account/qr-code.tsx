// A QR code as SVG.
import { encode } from "uqr";

/** Dark on white in both themes: cameras expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 3 });
  const dark = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="border-line size-48 rounded-md border bg-white"
    >
      <path d={dark} fill="#000" />
    </svg>
  );
}
