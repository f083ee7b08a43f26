import { useEffect, useRef, useState } from 'react'
import type { Session } from '#contract/auth.ts'
import { signInByPasskey } from '#contract/auth.ts'
import type { SecondFactorMethod } from '#contract/second-factor.ts'
import { CallError, callApi } from '../../api.ts'
import { beginSession, HOME } from '../../session.ts'
import { hasPasskeys } from '../../shared/has-passkeys.ts'
import { requestPasskey } from '../../shared/passkey.ts'
import { canBind, redirectToIssuer } from '../../shared/single-sign-on.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeField } from '../../ui/CodeField.tsx'
import { explainRefusal, FormFrame, SubmitButton } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { StandaloneText } from '../../ui/StandaloneCard.tsx'
import { required, useForm, useSend } from '../../ui/use-form.ts'
import { authWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import { codeWords } from '../../words/codes.ts'
import { signInMethods } from './methods.ts'

/** Sends the first half again, with the code of the second. */
type Entering = (code?: string) => Promise<Session>
type Asked = { methods: readonly SecondFactorMethod[]; enter: Entering }

/** Returns the ways to prove the second factor, if the call was refused for lack of it. */
const methodsOf = (error: unknown) =>
  error instanceof CallError && error.code === 'second_factor_required'
    ? ((error.details.methods ?? []) as readonly SecondFactorMethod[])
    : null

/**
 * Signs a person in: `start` sends the first half; if a second factor is needed, `asked` is its step, for `SecondStep`.
 */
export function useEntry(onEntered: () => void) {
  const [asked, setAsked] = useState<Asked | null>(null)
  async function start(enter: Entering) {
    try {
      beginSession(await enter())
    } catch (error) {
      const methods = methodsOf(error)
      if (!methods) throw error
      setAsked({ methods, enter })
      return
    }
    onEntered()
  }
  return { asked, start }
}

/** The second step of signing in, in the same card: a code, or the passkey of a person who has nothing else. */
export function SecondStep({ asked: { methods, enter }, onEntered }: { asked: Asked; onEntered: () => void }) {
  const totp = methods.includes('totp')
  const recovery = methods.includes('recovery-code')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  const form = useForm({
    initial: { code: '' },
    rules: { code: [required] },
    explain: (error) => (error.reason === 'code_wrong' ? codeWords.wrong : undefined),
    retryAt: 'code',
  })
  const send = useSend(async ({ code }: { code: string }) => {
    beginSession(await enter(code.trim()))
    onEntered()
  })
  return (
    <div className="stack" ref={box}>
      {!totp && <StandaloneText>{codeWords.passkeyOnly}</StandaloneText>}
      {methods.includes('passkey') && <ByPasskey label={codeWords.usePasskey} primary={!totp} onEntered={onEntered} />}
      {(totp || recovery) && (
        <FormFrame form={form} save={send} label={basicWords.pages.signIn} onSubmit={send.send}>
          <CodeField form={form} totp={totp} recovery={recovery} />
          <SubmitButton block look={totp ? 'primary' : 'secondary'}>
            {authWords.signIn}
          </SubmitButton>
        </FormFrame>
      )}
    </div>
  )
}

type ByPasskeyProps = { label: string; primary?: boolean; onEntered: () => void }

/** Signs in with a passkey alone. */
function ByPasskey({ label, primary, onEntered }: ByPasskeyProps) {
  const enter = async () => {
    const credential = await requestPasskey()
    if (!credential) return
    beginSession(await callApi(signInByPasskey, { body: { credential } }))
    onEntered()
  }
  return <OtherWay label={label} primary={primary} enter={enter} />
}

type OtherWayProps = { label: string; primary?: boolean; enter: () => Promise<unknown> }

/** The button of another way to sign in, with its failure above it. */
function OtherWay({ label, primary = false, enter }: OtherWayProps) {
  const { busy, error, send } = useSend(enter)
  return (
    <>
      {error && (
        <Message kind="error" answers={1}>
          {explainRefusal(error)}
        </Message>
      )}
      <Button look={primary ? 'primary' : 'secondary'} block busy={busy} onClick={() => send(undefined)}>
        {label}
      </Button>
    </>
  )
}

type Methods = { passkeys: boolean; oidc: { name: string; only: boolean } | null }
const NONE: Methods = { passkeys: false, oidc: null }

/** The ways to sign in besides a password that this server offers in this browser; none until it has answered. */
function useSignInMethods(): Methods {
  const [methods, setMethods] = useState(NONE)
  useEffect(() => {
    signInMethods().then(
      ({ passkeys, oidc }) => setMethods({ passkeys: passkeys && hasPasskeys(), oidc: canBind() ? oidc : null }),
      // the password remains
      () => undefined,
    )
  }, [])
  return methods
}

/** The other ways to sign in, below the password. */
export function OtherWays({ to, onEntered }: { to: () => string; onEntered: () => void }) {
  const { passkeys, oidc } = useSignInMethods()
  return (
    <>
      {passkeys && <ByPasskey label={codeWords.withPasskey} onEntered={onEntered} />}
      {oidc && <ByIssuer name={oidc.name} to={to} />}
    </>
  )
}

/** Single sign-on instead of a password, for an invited person. */
export function AcceptByIssuer({ token }: { token: string }) {
  const { oidc } = useSignInMethods()
  return oidc && <ByIssuer name={oidc.name} to={() => HOME} accept={token} />
}

function ByIssuer({ name, to, accept }: { name: string; to: () => string; accept?: string }) {
  const leave = () => redirectToIssuer({ to: to(), ...(accept !== undefined && { accept }) })
  return <OtherWay label={authWords.signInWith({ name })} enter={leave} />
}
