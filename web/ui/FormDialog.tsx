import { type ReactNode, useState } from 'react'
import { dialogWords } from '../words/pieces.ts'
import { Button } from './Button.tsx'
import { AskToLeave, type FormProps } from './contract-form.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { FormFrame, SubmitButton } from './form.tsx'

type Props<B> = Pick<FormProps<B>, 'form' | 'save' | 'onSubmit'> & {
  heading: string
  /** The consequence, above the fields. */
  why?: ReactNode
  /** Verb and object, on the button; the heading by default. */
  submit?: string
  /** The action ends something. */
  danger?: boolean
  wide?: boolean
  /** Why the form can't be sent yet: a choice is still to be made. */
  unready?: string | false | undefined
  /** Its text may be long: Escape and the cross ask before it is lost. */
  long?: boolean
  children: ReactNode
  onClose: () => void
}

/** A dialog with a form: the form from the contract, with `save` from `useDialogCall`. */
export function FormDialog<B>(props: Props<B>) {
  const { form, save, heading, why, submit = heading, danger, wide, unready, long, children, onSubmit, onClose } = props
  const [asks, ask] = useState(false)
  // in its place: one Escape would close two dialogs of which an Escape opened the second
  if (asks) return <AskToLeave onLeave={onClose} onStay={() => ask(false)} />
  return (
    <Dialog wide={wide} heading={heading} onClose={long && form.dirty ? () => ask(true) : onClose} busy={save.busy}>
      {why && <div className="wrap">{why}</div>}
      <FormFrame form={form} save={save} onSubmit={({ body, changes }) => onSubmit(body, changes)}>
        {children}
        <DialogActions>
          <SubmitButton look={danger ? 'danger' : 'primary'} cannot={unready}>
            {submit}
          </SubmitButton>
          <Button disabled={save.busy} onClick={onClose}>
            {dialogWords.cancel}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  )
}
