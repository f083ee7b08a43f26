import type { ReactNode } from 'react'
import { MayBeReasoned, Reasoned } from '#contract/values.ts'
import { labelWords } from '../words/fields.ts'
import { useContractForm } from './contract-form.tsx'
import type { useDialogCall } from './dialog-call.ts'
import { FormDialog } from './FormDialog.tsx'
import { TextAreaField } from './fields.tsx'

type Props = {
  heading: string
  /** The consequence. */
  children?: ReactNode
  /** Verb and object, on the button. */
  confirm: string
  danger?: boolean
  call: Pick<ReturnType<typeof useDialogCall>, 'busy' | 'error' | 'saved'>
  onConfirm: (reason: string) => void
  onClose: () => void
  /** The reason may be left out. */
  optional?: boolean
}

/** Asks for a reason, then does it: voiding, releasing, suspending. */
export function ReasonDialog({ heading, children, confirm, danger, call, onConfirm, onClose, optional }: Props) {
  const form = useContractForm(optional ? MayBeReasoned : Reasoned, { initial: { reason: '' } })
  return (
    <FormDialog
      heading={heading}
      why={children}
      form={form}
      save={call}
      submit={confirm}
      danger={danger}
      onSubmit={({ reason }) => onConfirm((reason ?? '').trim())}
      onClose={onClose}
    >
      <TextAreaField {...form.field('reason', labelWords.reason)} optional={optional} />
    </FormDialog>
  )
}
