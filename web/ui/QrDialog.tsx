import { linkWords } from '../words/links.ts'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { DownloadIcon } from './icons.tsx'
import { QrCode, qrFile } from './QrCode.tsx'
import styles from './QrDialog.module.css'
import { saveFile } from './save-file.ts'

type Props = {
  /** The link's partner or name. */
  name: string
  shortUrl: string
  onClose: () => void
}

/** A partner's link as a QR code for print and stage. */
export function QrDialog({ name, shortUrl, onClose }: Props) {
  function download() {
    const code = shortUrl.split('/').at(-1) ?? ''
    saveFile(qrFile(shortUrl), linkWords.qrFile({ code }))
  }
  return (
    <Dialog heading={linkWords.qrOf({ name })} onClose={onClose}>
      <QrCode text={shortUrl} label={linkWords.qrLabel({ address: shortUrl })} />
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
