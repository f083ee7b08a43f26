import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { confirmPassword } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { CallError, call } from '../api.ts'
import { useCall } from '../calls.ts'
import { t } from '../words.ts'
import { Button } from './Button.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import styles from './FreshPassword.module.css'
import { Form, PasswordField, required, SubmitButton, useForm } from './form.tsx'

type Question = { why?: string; answer: (confirmed: boolean) => void }

/**
 * Proves the password again before something that needs it: for ten minutes this session then counts as freshly signed
 * in. `ask` asks at once and answers whether it was given; `withFresh` does some work and asks only where the server
 * says `recent_sign_in_required`, then does it again. `dialog` stands in the screen.
 */
export function useFreshPassword() {
  const [question, setQuestion] = useState<Question | null>(null)
  const ask = (why?: string) => new Promise<boolean>((answer) => setQuestion({ why, answer }))

  async function withFresh<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!needsPassword(error) || !(await ask(error.message))) throw error
      return work()
    }
  }

  function answer(confirmed: boolean) {
    setQuestion(null)
    question?.answer(confirmed)
  }

  const dialog: ReactNode = question && <PasswordDialog why={question.why} onAnswer={answer} />
  return { ask, withFresh, asking: question !== null, dialog }
}

const needsPassword = (error: unknown): error is CallError =>
  error instanceof CallError && error.code === 'recent_sign_in_required'

/** Like `useCall`, for calls that may ask for the password first: `dialog` stands in the screen. */
export function useGuardedCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  ...[endpoint, effects]: Parameters<typeof useCall<P, Q, B, R>>
) {
  const guarded = useCall(endpoint as Endpoint<P, Q, B, R>, effects)
  const fresh = useFreshPassword()
  return {
    ...guarded,
    // What is refused is in `error`.
    mutate: (input: Parameters<typeof guarded.send>[0]) =>
      void fresh.withFresh(() => guarded.send(input)).catch(() => undefined),
    error: needsPassword(guarded.error) ? null : guarded.error,
    dialog: fresh.dialog,
  }
}

/** Whether the password is right; it makes this session fresh. */
export const proveFreshPassword = (password: string) => call(confirmPassword, { body: { password } })

/** What a wrong password is called; undefined for any other refusal. */
export const explainWrongPassword = ({ code }: CallError) =>
  code === 'invalid_credentials' ? t('freshPassword.wrong') : undefined

type Props = { why?: string; onAnswer: (confirmed: boolean) => void }

function PasswordDialog({ why, onAnswer }: Props) {
  const form = useForm({
    initial: { password: '' },
    fields: { password: { label: t('freshPassword.label'), rules: [required] } },
    async send({ password }) {
      await proveFreshPassword(password)
      onAnswer(true)
    },
    explain: explainWrongPassword,
    retryAt: 'password',
  })
  return (
    <Dialog heading={t('freshPassword.heading')} busy={form.busy} onClose={() => onAnswer(false)}>
      <p className={styles.why}>{why ?? t('freshPassword.why')}</p>
      <Form form={form} label={t('freshPassword.heading')}>
        <PasswordField {...form.field('password')} autoComplete="current-password" data-first-focus />
        <DialogActions>
          <SubmitButton>{t('freshPassword.confirm')}</SubmitButton>
          <Button disabled={form.busy} onClick={() => onAnswer(false)}>
            {t('dialog.cancel')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
