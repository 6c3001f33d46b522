// Circles and squares around x, y whose height is filled by a share from below, in another ink.

export function fillCircle(c: CanvasRenderingContext2D, x: number, y: number, r: number, share: number, ink: string): void {
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.fill();
  if (share > 0) {
    const angle = Math.acos(1 - 2 * share);
    c.fillStyle = ink;
    c.beginPath();
    c.arc(x, y, r, Math.PI / 2 - angle, Math.PI / 2 + angle);
    c.fill();
  }
  c.lineWidth = share >= 1 ? 2 : 1.2;
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.stroke();
}

export function fillSquare(c: CanvasRenderingContext2D, x: number, y: number, r: number, share: number, ink: string): void {
  c.fillRect(x - r, y - r, 2 * r, 2 * r);
  c.fillStyle = ink;
  c.fillRect(x - r, y + r - 2 * r * share, 2 * r, 2 * r * share);
  c.strokeRect(x - r, y - r, 2 * r, 2 * r);
}
