import { useEffect, useState } from 'react'
import { getPublicBrand, type PublicBrand } from '#contract/accounts.ts'
import { callApi } from './api.ts'
import { ConfirmApplication } from './features/auth/ConfirmApplication.tsx'
import { LanguageMenu } from './features/auth/LanguageMenu.tsx'
import { signInMethods } from './features/auth/methods.ts'
import { navigateTo, onSessionEnd, useSignInPath } from './features/auth/navigation.tsx'
import { ResetPassword } from './features/auth/ResetPassword.tsx'
import { SignIn } from './features/auth/SignIn.tsx'
import { SigningIn } from './features/auth/SigningIn.tsx'
import { isUnsubscribing, Unsubscribe } from './features/auth/Unsubscribe.tsx'
import { UserSetup } from './features/auth/UserSetup.tsx'
import { setLeave } from './session.ts'
import { LateBrandHead } from './shell/LateBrandHead.tsx'
import { Logo } from './ui/Logo.tsx'
import { ProgramTitle } from './ui/Page.tsx'
import { StandaloneFoot, StandaloneMark } from './ui/StandaloneCard.tsx'

/**
 * Runs the screens before signing in, without router and query cache, so that they load fast. `showAgain` renders the
 * document's new address.
 */
export function beforeSignIn(showAgain: () => void) {
  setLeave(navigateTo)
  onSessionEnd(showAgain)
  return <Screen />
}

/** At an account's own domain the screens have its name, logo and color, as soon as these are known. */
function Screen() {
  const program = useProgramHere()
  return (
    <ProgramTitle value={program?.displayName ?? null}>
      <StandaloneMark value={program && <LateBrandHead brand={program} meanwhile={<Logo full height={32} />} />}>
        <StandaloneFoot value={<LanguageMenu />}>
          <Shown />
        </StandaloneFoot>
      </StandaloneMark>
    </ProgramTitle>
  )
}

function useProgramHere() {
  const [program, setProgram] = useState<PublicBrand | null>(null)
  useEffect(() => {
    signInMethods()
      .then(({ ownDomain }) => (ownDomain ? callApi(getPublicBrand, { query: {} }) : null))
      // our own look remains
      .then(setProgram, () => undefined)
  }, [])
  return program
}

function Shown() {
  const path = useSignInPath()
  if (isUnsubscribing(path)) return <Unsubscribe path={path} />
  if (path === '/user-setup') return <UserSetup />
  if (path === '/join/confirm') return <ConfirmApplication />
  if (path === '/auth/reset-password') return <ResetPassword />
  if (path === '/auth/oidc') return <SigningIn />
  return <SignIn />
}
