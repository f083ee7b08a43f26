import { dialogWords } from '../words/pieces.ts'
import { Button } from './Button.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { SecretField } from './fields.tsx'

type Props = { heading: string; label: string; secret: string; why: string; onClose: () => void }

/** Shows a secret for the only time. */
export const SecretDialog = ({ heading, label, secret, why, onClose }: Props) => (
  <Dialog heading={heading} onClose={onClose}>
    <div className="stack">
      <p>{why}</p>
      <SecretField label={label} value={secret} help={dialogWords.secretOnce} />
    </div>
    <DialogActions>
      <Button look="primary" onClick={onClose}>
        {dialogWords.done}
      </Button>
    </DialogActions>
  </Dialog>
)
