import { useState } from 'react'
import { confirmPassword } from '#contract/auth.ts'
import { type CallError, call } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormFrame, PasswordField, SubmitButton } from '../ui/form.tsx'
import { required, useForm, useSend } from '../ui/use-form.ts'
import { labelWords } from '../words/fields.ts'
import { dialogWords, pieceWords } from '../words/pieces.ts'

type Question = { why?: string; answer: (confirmed: boolean) => void }

/**
 * Confirms the password before an action that the server refuses with `recent_sign_in_required`: for ten minutes this
 * session then counts as freshly signed in. `ask` resolves to whether it was given; the screen renders `dialog`.
 */
export function useFreshPassword() {
  const [question, setQuestion] = useState<Question | null>(null)

  function answer(confirmed: boolean) {
    setQuestion(null)
    question?.answer(confirmed)
  }

  return {
    ask: (why?: string) => new Promise<boolean>((answer) => setQuestion({ why, answer })),
    dialog: question && <PasswordDialog why={question.why} onAnswer={answer} />,
  }
}

/** Confirms the password, which makes this session fresh. */
export const proveFreshPassword = (password: string) => call(confirmPassword, { body: { password } })

/** Returns the message for a wrong password; undefined for any other refusal. */
export const explainWrongPassword = ({ code }: CallError) =>
  code === 'invalid_credentials' ? pieceWords.freshPassword.wrong : undefined

type Props = { why?: string; onAnswer: (confirmed: boolean) => void }

export function PasswordDialog({ why, onAnswer }: Props) {
  const form = useForm({
    initial: { password: '' },
    rules: { password: [required] },
    explain: explainWrongPassword,
    retryAt: 'password',
  })
  const prove = useSend(async ({ password }: { password: string }) => {
    await proveFreshPassword(password)
    onAnswer(true)
  })
  return (
    <Dialog heading={pieceWords.freshPassword.heading} busy={prove.busy} onClose={() => onAnswer(false)}>
      <p className="muted">{why ?? pieceWords.freshPassword.why}</p>
      <FormFrame form={form} save={prove} label={pieceWords.freshPassword.heading} onSubmit={prove.send}>
        <PasswordField
          {...form.field('password', labelWords.currentPassword)}
          autoComplete="current-password"
          data-first-focus
        />
        <DialogActions>
          <SubmitButton>{pieceWords.freshPassword.confirm}</SubmitButton>
          <Button disabled={prove.busy} onClick={() => onAnswer(false)}>
            {dialogWords.cancel}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  )
}
