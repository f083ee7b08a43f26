import { useEffect, useRef, useState } from 'react'
import { confirmPassword, type Proof } from '#contract/auth.ts'
import { getSecondFactor, getSignInMethods, type SecondFactor } from '#contract/second-factor.ts'
import { callApi } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { explainRefusal, FormFrame, PasswordField, SubmitButton } from '../ui/form.tsx'
import { Message } from '../ui/Message.tsx'
import { required, useForm, useSend } from '../ui/use-form.ts'
import { authWords } from '../words/auth.ts'
import { codeWords } from '../words/codes.ts'
import { labelWords } from '../words/fields.ts'
import { dialogWords, pieceWords } from '../words/pieces.ts'
import { requestPasskey } from './passkey.ts'
import { canBind, redirectToIssuer } from './single-sign-on.ts'
import { explainWrongPassword } from './wrong-password.ts'

type Question = { why?: string; answer: (confirmed: boolean) => void }

/**
 * Proves the person again before an action that the server refuses with `recent_sign_in_required`: for ten minutes this
 * session then counts as freshly signed in. `ask` resolves to whether it was given; the screen renders `dialog`.
 */
export function useFreshProof() {
  const [question, setQuestion] = useState<Question | null>(null)

  function answer(confirmed: boolean) {
    setQuestion(null)
    question?.answer(confirmed)
  }

  return {
    ask: (why?: string) => new Promise<boolean>((answer) => setQuestion({ why, answer })),
    dialog: question && <ProofDialog why={question.why} onAnswer={answer} />,
  }
}

type Props = { why?: string; onAnswer: (confirmed: boolean) => void }

/** Asks for what proves the person again: the second factor of one who has it, else the password. */
export function ProofDialog({ why, onAnswer }: Props) {
  const [factors, setFactors] = useState<SecondFactor | null>(null)
  const [issuer, setIssuer] = useState<string | null>(null)
  const load = useSend(async () => {
    const [{ oidc }, known] = await Promise.all([callApi(getSignInMethods), callApi(getSecondFactor)])
    setIssuer(canBind() ? (oidc?.name ?? null) : null)
    setFactors(known)
  })
  const start = useRef(load.send)
  useEffect(() => void start.current(undefined), [])
  const { totp, passkeys } = factors ?? { totp: null, passkeys: [] }
  const hasFactor = totp !== null || passkeys.length > 0
  const by = hasFactor ? 'code' : 'password'
  const form = useForm({
    initial: { password: '', code: '' },
    rules: { [by]: [required] },
    explain: explainWrongPassword,
    retryAt: by,
  })
  const prove = useSend(async (proof: Proof) => {
    await callApi(confirmPassword, { body: proof })
    onAnswer(true)
  })
  const byPasskey = useSend(async () => {
    const passkey = await requestPasskey()
    if (!passkey) return
    await callApi(confirmPassword, { body: { passkey } })
    onAnswer(true)
  })
  const byIssuer = useSend(() => redirectToIssuer({ to: location.pathname + location.search, confirm: true }))
  const busy = prove.busy || byPasskey.busy || byIssuer.busy
  const cancel = (
    <Button disabled={busy} onClick={() => onAnswer(false)}>
      {dialogWords.cancel}
    </Button>
  )
  const failed = load.error ?? byPasskey.error ?? byIssuer.error
  // opened with its fields, the first of which takes the focus
  if (!factors && !load.error) return null
  return (
    <Dialog heading={pieceWords.freshProof.heading} busy={busy} onClose={() => onAnswer(false)}>
      <p className="muted">{why ?? pieceWords.freshProof.why}</p>
      {failed && (
        <Message kind="error" answers={1}>
          {explainRefusal(failed)}
        </Message>
      )}
      {passkeys.length > 0 && (
        <div>
          <Button
            look={totp ? 'secondary' : 'primary'}
            busy={byPasskey.busy}
            data-first-focus={totp ? undefined : true}
            onClick={() => byPasskey.send(undefined)}
          >
            {codeWords.usePasskey}
          </Button>
        </div>
      )}
      {issuer && (
        <div>
          <Button busy={byIssuer.busy} onClick={() => byIssuer.send(undefined)}>
            {authWords.signInWith({ name: issuer })}
          </Button>
        </div>
      )}
      {factors && (totp || !hasFactor) ? (
        <FormFrame
          form={form}
          save={prove}
          label={pieceWords.freshProof.heading}
          onSubmit={({ code, password }) => prove.send(hasFactor ? { code: code.trim() } : { password })}
        >
          {hasFactor ? (
            <CodeField form={form} totp recovery={false} />
          ) : (
            <PasswordField
              {...form.field('password', labelWords.currentPassword)}
              autoComplete="current-password"
              data-first-focus
            />
          )}
          <DialogActions>
            <SubmitButton>{hasFactor ? codeWords.continue : pieceWords.freshProof.confirm}</SubmitButton>
            {cancel}
          </DialogActions>
        </FormFrame>
      ) : (
        <DialogActions>{cancel}</DialogActions>
      )}
    </Dialog>
  )
}
