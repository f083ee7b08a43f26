import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { createAccount } from '#contract/accounts.ts'
import {
  acceptUserSetup,
  changeMe,
  changePassword,
  getUserSetup,
  retryUserSetup,
  type UserSetup as Setup,
} from '#contract/auth.ts'
import { createLinkBlueprint } from '#contract/links.ts'
import { CallError, callApi } from '../../api.ts'
import { timeZoneHere } from '../../format.ts'
import { beginSession, HOME, readSession } from '../../session.ts'
import { withScheme } from '../../shared/typed-addresses.ts'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal, FieldPair, FormFrame, PasswordField, SubmitButton, TextField } from '../../ui/form.tsx'
import { withinTwoMinutes } from '../../ui/load-limit.ts'
import { Message } from '../../ui/Message.tsx'
import { Failed, Skeleton } from '../../ui/Panel.tsx'
import { StandaloneCard, StandaloneLinks, StandaloneText } from '../../ui/StandaloneCard.tsx'
import { email, newPassword, required, useForm, useSend } from '../../ui/use-form.ts'
import { authWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import { dropLinkToken, navigateTo, SignInLink, useLinkToken } from './navigation.tsx'
import { ifCompany, nameOfCompany, rate, repeated, webAddress } from './rules.ts'
import { AcceptByIssuer } from './second-step.tsx'

/** Loaded lazily: only the person who sets up the installation needs these fields. */
const Company = lazy(() =>
  withinTwoMinutes(import('./Company.tsx')).then(
    ({ Company }) => ({ default: Company }),
    // an account can be added later
    () => ({ default: () => <></> }),
  ),
)

type Read = { setup: Setup } | { failed: CallError } | null

/**
 * The target of set-up links: new users finish their set-up, existing users accept, used and expired links offer a next
 * step.
 */
export function UserSetup() {
  const token = useLinkToken()
  const [read, retry] = useSetup(token)
  return (
    <StandaloneCard heading={basicWords.pages.userSetup}>
      {token ? <Opened token={token} read={read} retry={retry} /> : <NewLink expired={false} />}
    </StandaloneCard>
  )
}

function Opened({ token, read, retry }: { token: string; read: Read; retry: () => void }) {
  if (!read) return <Skeleton rows={4} />
  if ('failed' in read) {
    if (read.failed.status === 401) return <NewLink expired />
    return <Failed onRetry={retry} why={explainRefusal(read.failed)} />
  }
  const { setup } = read
  switch (setup.status) {
    case 'valid':
      return <Finish key={token} setup={setup} token={token} onExpired={retry} />
    case 'existing-user':
      return <Accept key={token} setup={setup} token={token} />
    case 'used':
      return <Used />
    case 'expired':
      return <NewLink expired />
  }
}

function useSetup(token: string | null): [Read, () => void] {
  const [read, setRead] = useState<Read>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    if (!token) return
    let current = true
    setRead(null)
    callApi(getUserSetup, { token }).then(
      (setup) => current && setRead({ setup }),
      (failed) => current && setRead({ failed }),
    )
    return () => {
      current = false
    }
  }, [token, attempt])
  return [read, () => setAttempt(attempt + 1)]
}

function Invitation({ setup }: { setup: Setup }) {
  const { accountName: account, invitedBy: inviter } = setup
  if (!account) return setup.email ? null : <StandaloneText>{authWords.first}</StandaloneText>
  return (
    <StandaloneText>
      {inviter ? authWords.invitedBy({ inviter, account }) : authWords.invitedTo({ account })}
    </StandaloneText>
  )
}

function Finish({ setup, token, onExpired }: { setup: Setup; token: string; onExpired: () => void }) {
  const first = setup.email === null
  /** The email whose password is already set. */
  const signedInAs = useRef<string | null>(null)
  /** The account that is already created. */
  const accountId = useRef<string | null>(null)
  const initial = {
    email: '',
    firstName: setup.firstName ?? '',
    lastName: setup.lastName ?? '',
    password: '',
    confirmPassword: '',
    name: '',
    destinationUrl: '',
    defaultCurrency: 'usd',
    timeZone: timeZoneHere(),
    commission: '',
  }
  const form = useForm({
    initial,
    rules: {
      email: first ? [required, email] : [],
      password: [required, newPassword],
      confirmPassword: [required, repeated],
      name: [nameOfCompany],
      destinationUrl: [ifCompany(webAddress)],
      commission: [ifCompany(rate)],
    },
    complete: withScheme,
  })
  const finish = useSend(async (values: typeof initial, idempotencyKey) => {
    const { email, firstName, lastName, password, name, destinationUrl, defaultCurrency, timeZone, commission } = values
    try {
      // The link works once: if a later call is refused, a second press sends only the remaining calls.
      if (signedInAs.current === null) {
        const body = first ? { password, email } : { password }
        beginSession(await callApi(changePassword, { body, token, idempotencyKey }))
        signedInAs.current = email
      }
      const named = firstName.trim() !== (setup.firstName ?? '') || lastName.trim() !== (setup.lastName ?? '')
      if (named) await callApi(changeMe, { body: { firstName, lastName } })
      if (name.trim() && accountId.current === null) {
        const defaultCommissionSettings = { layerRates: [Number(commission)] }
        const owner = { email: signedInAs.current }
        const body = { name, defaultCurrency, timeZone, defaultCommissionSettings, owner }
        accountId.current = (await callApi(createAccount, { body, idempotencyKey })).id
      }
      if (accountId.current !== null && destinationUrl.trim()) {
        const params = { id: accountId.current }
        const body = { name: new URL(destinationUrl).hostname, destinationUrl }
        await callApi(createLinkBlueprint, { params, body, idempotencyKey })
      }
      dropLinkToken()
      navigateTo(HOME)
    } catch (error) {
      if (signedInAs.current === null && error instanceof CallError && error.status === 401) onExpired()
      else throw error
    }
  })
  return (
    <>
      <Invitation setup={setup} />
      {setup.email && <StandaloneText>{authWords.invitedEmail({ email: setup.email })}</StandaloneText>}
      <FormFrame form={form} save={finish} label={basicWords.pages.userSetup} onSubmit={finish.send}>
        {first && <TextField {...form.field('email', basicWords.fields.email)} type="email" autoComplete="username" />}
        <FieldPair>
          <TextField {...form.field('firstName', basicWords.fields.firstName)} autoComplete="given-name" optional />
          <TextField {...form.field('lastName', basicWords.fields.lastName)} autoComplete="family-name" optional />
        </FieldPair>
        <PasswordField
          {...form.field('password', basicWords.fields.password)}
          autoComplete="new-password"
          help={basicWords.fields.passwordHelp}
        />
        <PasswordField
          {...form.field('confirmPassword', basicWords.fields.confirmPassword)}
          autoComplete="new-password"
        />
        {first && (
          <Suspense>
            <Company form={form} />
          </Suspense>
        )}
        <SubmitButton block>{authWords.finish}</SubmitButton>
      </FormFrame>
      {!first && <AcceptByIssuer token={token} />}
    </>
  )
}

function Accept({ setup, token }: { setup: Setup; token: string }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const signedIn = readSession() !== null
  async function accept() {
    setBusy(true)
    try {
      await callApi(acceptUserSetup, { body: { token } })
      dropLinkToken()
      navigateTo(HOME)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setBusy(false)
      setFailure([403, 404].includes(error.status) ? basicWords.errors.otherUser : explainRefusal(error))
    }
  }
  return (
    <>
      {failure && (
        <Message kind="error" answers={1}>
          {failure}
        </Message>
      )}
      <Invitation setup={setup} />
      <StandaloneText>
        {(signedIn ? authWords.existingSignedIn : authWords.existing)({ email: setup.email ?? '' })}
      </StandaloneText>
      {signedIn ? (
        <Button look="primary" block busy={busy} onClick={accept}>
          {authWords.accept}
        </Button>
      ) : (
        <Button look="primary" block onClick={() => navigateTo('/auth/sign-in?return=/user-setup')}>
          {authWords.signIn}
        </Button>
      )}
    </>
  )
}

function Used() {
  return (
    <>
      <Message kind="info">{basicWords.errors.linkUsed}</Message>
      <StandaloneText>{authWords.usedHelp}</StandaloneText>
      <StandaloneLinks>
        <SignInLink to="/auth/sign-in">{authWords.signIn}</SignInLink>
      </StandaloneLinks>
    </>
  )
}

function NewLink({ expired }: { expired: boolean }) {
  const [sent, setSent] = useState(false)
  const form = useForm({ initial: { email: '' }, rules: { email: [required, email] } })
  const ask = useSend(async ({ email }: { email: string }) => {
    setSent(false)
    await callApi(retryUserSetup, { body: { email } })
    setSent(true)
  })
  return (
    <>
      {sent ? (
        <Message kind="success" answers={1}>
          {authWords.newLinkSent}
        </Message>
      ) : (
        expired && <Message kind="error">{basicWords.errors.linkExpired}</Message>
      )}
      {!sent && <StandaloneText>{expired ? authWords.newLinkHelp : authWords.openLink}</StandaloneText>}
      <FormFrame form={form} save={ask} label={basicWords.pages.userSetup} onSubmit={ask.send}>
        <TextField {...form.field('email', basicWords.fields.email)} type="email" autoComplete="username" />
        <SubmitButton block>{authWords.sendNewLink}</SubmitButton>
      </FormFrame>
      <StandaloneLinks>
        <SignInLink to="/auth/sign-in">{authWords.backToSignIn}</SignInLink>
      </StandaloneLinks>
    </>
  )
}
