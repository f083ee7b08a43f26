import type { ReactNode } from 'react'
import { dialogWords } from '../words/pieces.ts'
import { Button } from './Button.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import styles from './Refused.module.css'

type Props = {
  heading: string
  refused: { key: string; name: string; why: string }[]
  /** How many there are beyond those. */
  more?: string | undefined
  /** The button for a file of them all. */
  download?: ReactNode
  onClose: () => void
}

/** The items of a bulk action that were refused, each with the reason. */
export function Refused({ heading, refused, more, download, onClose }: Props) {
  return (
    <Dialog heading={heading} onClose={onClose}>
      <ul className={`stack gap-3 ${styles.refused}`}>
        {refused.map(({ key, name, why }) => (
          <li key={key} className="stack gap-1 wrap">
            <strong>{name}</strong>
            <span className="muted">{why}</span>
          </li>
        ))}
        {more && <li className="muted">{more}</li>}
      </ul>
      <DialogActions>
        <Button data-first-focus onClick={onClose}>
          {dialogWords.done}
        </Button>
        {download}
      </DialogActions>
    </Dialog>
  )
}
