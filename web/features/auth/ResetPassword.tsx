import { useState } from 'react'
import { changePassword, resetPassword } from '#contract/auth.ts'
import { CallError, callApi } from '../../api.ts'
import { HOME } from '../../session.ts'
import { FormFrame, PasswordField, SubmitButton, TextField } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { StandaloneCard, StandaloneLinks, StandaloneText } from '../../ui/StandaloneCard.tsx'
import { email, newPassword, required, useForm, useSend } from '../../ui/use-form.ts'
import { authWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import { dropLinkToken, navigateTo, SignInLink, useLinkToken } from './navigation.tsx'
import { repeated } from './rules.ts'
import { SecondStep, useEntry } from './second-step.tsx'

export function ResetPassword() {
  const token = useLinkToken()
  const [expired, setExpired] = useState(false)
  if (token && !expired) {
    const expire = () => {
      dropLinkToken()
      setExpired(true)
    }
    return <NewPassword key={token} token={token} onExpired={expire} />
  }
  return <AskForLink expired={expired} />
}

function AskForLink({ expired }: { expired: boolean }) {
  const [sent, setSent] = useState(false)
  const form = useForm({ initial: { email: '' }, rules: { email: [required, email] } })
  const ask = useSend(async ({ email }: { email: string }) => {
    setSent(false)
    await callApi(resetPassword, { body: { email } })
    setSent(true)
  })
  return (
    <StandaloneCard heading={basicWords.pages.resetPassword}>
      {expired && !sent && <Message kind="error">{basicWords.errors.linkExpired}</Message>}
      {sent && (
        <Message kind="success" answers={1}>
          {authWords.resetSent}
        </Message>
      )}
      {!sent && <StandaloneText>{authWords.resetHelp}</StandaloneText>}
      <FormFrame form={form} save={ask} label={basicWords.pages.resetPassword} onSubmit={ask.send}>
        <TextField {...form.field('email', basicWords.fields.email)} type="email" autoComplete="username" />
        <SubmitButton block>{authWords.sendResetLink}</SubmitButton>
      </FormFrame>
      <StandaloneLinks>
        <SignInLink to="/auth/sign-in">{authWords.backToSignIn}</SignInLink>
      </StandaloneLinks>
    </StandaloneCard>
  )
}

function NewPassword({ token, onExpired }: { token: string; onExpired: () => void }) {
  const form = useForm({
    initial: { password: '', confirmPassword: '' },
    rules: { password: [required, newPassword], confirmPassword: [required, repeated] },
  })
  const onEntered = () => {
    dropLinkToken()
    navigateTo(HOME)
  }
  const { asked, start } = useEntry(onEntered)
  const change = useSend(async ({ password }: { password: string }) => {
    try {
      await start((code) => callApi(changePassword, { body: { password, ...(code !== undefined && { code }) }, token }))
    } catch (error) {
      if (error instanceof CallError && error.status === 401) onExpired()
      else throw error
    }
  })
  if (asked)
    return (
      <StandaloneCard heading={basicWords.pages.chooseNewPassword}>
        <SecondStep asked={asked} onEntered={onEntered} />
      </StandaloneCard>
    )
  return (
    <StandaloneCard heading={basicWords.pages.chooseNewPassword}>
      <FormFrame form={form} save={change} label={authWords.changePassword} onSubmit={change.send}>
        <PasswordField
          {...form.field('password', basicWords.fields.newPassword)}
          autoComplete="new-password"
          help={basicWords.fields.passwordHelp}
        />
        <PasswordField
          {...form.field('confirmPassword', basicWords.fields.confirmPassword)}
          autoComplete="new-password"
        />
        <SubmitButton block>{authWords.changePassword}</SubmitButton>
      </FormFrame>
    </StandaloneCard>
  )
}
