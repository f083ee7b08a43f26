import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { signInWords as words } from '../../words/sign-in-methods.ts'

/** Shows recovery codes for the only time. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n')
  return (
    <Dialog heading={words.recoveryCodes} onClose={onClose}>
      <p>{words.onlyOnce}</p>
      <CodeBlock>{text}</CodeBlock>
      <div className="row">
        <CopyButton value={text} label={words.copy} />
        <Button onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), words.file)}>
          {words.download}
        </Button>
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
