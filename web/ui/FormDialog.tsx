import type { ReactNode } from 'react'
import { t } from '../words.ts'
import { Button } from './Button.tsx'
import { Form, type FormProps } from './contract-form.tsx'
import styles from './Dialog.module.css'
import { Dialog, DialogActions } from './Dialog.tsx'
import { SubmitButton } from './form.tsx'

type Props<B> = Pick<FormProps<B>, 'form' | 'save' | 'onSubmit'> & {
  heading: string
  /** The id of its subject: if the session ends, typed values are restored when the dialog is opened for it again. */
  about: string
  /** The consequence, above the fields. */
  why?: ReactNode
  /** Verb and object, on the button; the heading by default. */
  submit?: string
  /** The action ends something. */
  danger?: boolean
  children: ReactNode
  onClose: () => void
}

/** A dialog with a form: the form from the contract, with `save` from `useDialogCall`. */
export function FormDialog<B>({ heading, about, why, submit = heading, danger, children, onClose, ...form }: Props<B>) {
  const { busy } = form.save
  return (
    <Dialog heading={heading} onClose={onClose} busy={busy}>
      {why && <div className={styles.text}>{why}</div>}
      <Form {...form} dialog={{ heading, about }}>
        {children}
        <DialogActions>
          <SubmitButton look={danger ? 'danger' : 'primary'}>{submit}</SubmitButton>
          <Button disabled={busy} onClick={onClose}>
            {t('dialog.cancel')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
