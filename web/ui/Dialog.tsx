import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import type { CallError } from '../api.ts'
import { dialogWords } from '../words/pieces.ts'
import { Button, IconButton } from './Button.tsx'
import styles from './Dialog.module.css'
import { explainRefusal } from './form.tsx'
import { CloseIcon } from './icons.tsx'
import { Message } from './Message.tsx'
import { focusHeading } from './Page.tsx'
import { Toasts } from './Toasts.tsx'

type Props = {
  heading: string
  /** Called by Escape and the cross, but not while `busy`. */
  onClose: () => void
  children: ReactNode
  busy?: boolean
  /** Wider than most, or as wide as a table of several columns. */
  wide?: boolean | 'table'
  /** Near the top of the window, without a visible heading; a click outside closes it too. */
  palette?: boolean
}

/**
 * Returns the focus to the dialog's opener. If that is gone because of the action, or disappears or is disabled while
 * it has the focus, the focus moves to the screen's heading.
 */
function restoreFocus(opener: HTMLElement | null) {
  if (opener?.isConnected) opener.focus()
  const watch = new MutationObserver(() => {
    const at = document.activeElement
    const isLost = !at || at === document.body || at.matches(':disabled')
    if (at === opener && !isLost) return
    watch.disconnect()
    if (isLost) focusHeading({ preventScroll: true })
  })
  watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
}

/** The first field of a dialog with a form, or what it asks to pick. */
const FIELD = 'form :is(input, select, textarea):not(:disabled, [readonly]), [role=combobox]'

/** A modal dialog, open as long as it is rendered. The focus stays inside and then returns to where it was. */
export function Dialog({ heading, onClose, children, busy, wide, palette }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const box = dialog.current
    // An opener that has since left the page, such as an item of a menu, cannot regain the focus.
    const opener = document.activeElement as HTMLElement | null
    box?.showModal()
    const first = box?.querySelector<HTMLElement>('[data-first-focus]') ?? box?.querySelector<HTMLElement>(FIELD)
    first?.focus()
    return () => {
      box?.close()
      restoreFocus(opener)
    }
  }, [])
  const leave = () => {
    if (!busy) onClose()
  }
  // The browser closes a dialog at a repeated Escape without asking.
  function closed() {
    const box = dialog.current
    if (!box || box.open) return
    if (busy) box.showModal()
    else onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; this is the click beside it
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={`stack ${styles.dialog} ${palette ? styles.palette : wide === 'table' ? styles.table : wide ? styles.wide : ''}`}
      onClick={({ target }) => palette && target === dialog.current && leave()}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onClose={closed}
    >
      <div className={`row no-wrap between ${styles.head}`}>
        <h2 id={id} className={palette ? 'visually-hidden' : 'wrap'}>
          {heading}
        </h2>
        <IconButton label={dialogWords.close} icon={<CloseIcon size={16} />} onClick={leave} />
      </div>
      {children}
      <Toasts />
    </dialog>
  )
}

type ActionsProps = {
  children: ReactNode
  /** Another button, at the other end. */
  aside?: ReactNode
  /** A summary for the buttons: read before them, and shown above them if there is no room next to them. */
  note?: ReactNode
}

/** The buttons of a dialog: the primary one first, then 'Cancel'. */
export function DialogActions({ children, aside, note }: ActionsProps) {
  return (
    <div className={`row ${styles.actions}`}>
      {note && <small className={`muted ${styles.note}`}>{note}</small>}
      {children}
      {aside && <span className={styles.aside}>{aside}</span>}
    </div>
  )
}

type Pending = { busy: boolean; error: CallError | null }

type DeleteProps = {
  /** 'partner', for 'Delete partner'. */
  resource: string
  name: string
  /** The call that deletes. */
  call: Pending
  onDelete: () => void
  onClose: () => void
  /** A further consequence, or what is not deleted. */
  also?: string | undefined
  /** An alternative offered once the server has refused: 'Archive'. */
  instead?: ReactNode
  /** Returns the refusal in the screen's own words, if the server's are not the ones to show. */
  explain?: (error: CallError) => string
}

/** Asks before something is deleted for good; a refusal appears inside, and deleting is then no longer offered. */
export function ConfirmDelete(props: DeleteProps) {
  const { resource, name, call, onDelete, onClose, also, instead, explain = explainRefusal } = props
  const refused = call.error !== null && call.error.status >= 400 && call.error.status < 500
  return (
    <Dialog heading={dialogWords.deleteHeading({ resource })} onClose={onClose} busy={call.busy}>
      <p className="wrap">
        {dialogWords.deleteBefore}
        <strong>{name}</strong>
        {dialogWords.deleteAfter}
      </p>
      {also && <p className="wrap">{also}</p>}
      {call.error && <Message kind="error">{explain(call.error)}</Message>}
      <DialogActions aside={refused && instead}>
        <Button look="danger" busy={call.busy} disabled={refused} onClick={onDelete}>
          {dialogWords.delete}
        </Button>
        <Button data-first-focus disabled={call.busy} onClick={onClose}>
          {dialogWords.cancel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type ConfirmProps = {
  heading: string
  /** The consequence, with count and sum if money moves. */
  children: ReactNode
  /** Verb and object, on the button. */
  confirm: string
  danger?: boolean
  /** Label of the second button if 'Cancel' would be ambiguous. */
  keep?: string
  call: Pending
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation before a step that moves money or ends something. */
export function Confirm({ heading, children, confirm, danger, keep, call, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog heading={heading} onClose={onClose} busy={call.busy}>
      <div className="wrap">{children}</div>
      {call.error && <Message kind="error">{explainRefusal(call.error)}</Message>}
      <DialogActions>
        <Button look={danger ? 'danger' : 'primary'} busy={call.busy} onClick={onConfirm}>
          {confirm}
        </Button>
        <Button data-first-focus disabled={call.busy} onClick={onClose}>
          {keep ?? dialogWords.cancel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
