import { encode } from 'uqr'
import { linkWords } from '../words/links.ts'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { DownloadIcon } from './icons.tsx'
import styles from './QrDialog.module.css'
import { saveFile } from './save-file.ts'

/** Margin required by readers around the code, in modules. */
const QUIET = 4

type Props = {
  /** The link's partner or name. */
  name: string
  shortUrl: string
  onClose: () => void
}

/** A partner's link as a QR code for print and stage. */
export function QrDialog({ name, shortUrl, onClose }: Props) {
  const { size, path } = drawn(shortUrl)
  const whole = size + 2 * QUIET
  function download() {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${whole}"><path fill="#fff" d="M0 0h${whole}v${whole}H0z"/><path d="${path}"/></svg>`
    const code = shortUrl.split('/').at(-1) ?? ''
    saveFile(new Blob([svg], { type: 'image/svg+xml' }), linkWords.qrFile({ code }))
  }
  return (
    <Dialog heading={linkWords.qrOf({ name })} onClose={onClose}>
      {/* Black on white in every theme, as cameras need it. */}
      <svg
        role="img"
        aria-label={linkWords.qrLabel({ address: shortUrl })}
        className={styles.code}
        viewBox={`0 0 ${whole} ${whole}`}
        shapeRendering="crispEdges"
      >
        <path d={path} />
      </svg>
      <p className={`stack gap-1 ${styles.address}`}>
        <code className="wrap">{shortUrl}</code>
        <small className="muted">{linkWords.qrHelp}</small>
      </p>
      <DialogActions>
        <CopyButton value={shortUrl} label={linkWords.copy} />
        <Button icon={<DownloadIcon size={16} />} onClick={download}>
          {linkWords.downloadQr}
        </Button>
      </DialogActions>
    </Dialog>
  )
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
  return { size, path: runs.join('') }
}
