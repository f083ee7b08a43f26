import { encode } from 'uqr'
import styles from './QrCode.module.css'

/** Margin required by readers around the code, in modules. */
const QUIET = 4

/** A text as a QR code, black on white in every theme, as cameras need it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, whole } = drawn(text)
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.code}
      viewBox={`0 0 ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}

/** The code as a file, for print. */
export function qrFile(text: string) {
  const { path, whole } = drawn(text)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${whole}"><path fill="#fff" d="M0 0h${whole}v${whole}H0z"/><path d="${path}"/></svg>`
  return new Blob([svg], { type: 'image/svg+xml' })
}

/** Draws the dark modules as one path, each run of them a stroke of its row. */
function drawn(text: string) {
  const { size, data } = encode(text, { border: 0, ecc: 'M' })
  const runs = data.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return []
      const end = row.indexOf(false, x)
      const length = (end < 0 ? size : end) - x
      return [`M${x + QUIET} ${y + QUIET}h${length}v1h-${length}z`]
    }),
  )
  return { whole: size + 2 * QUIET, path: runs.join('') }
}
