import { ConfirmApplication } from './features/auth/ConfirmApplication.tsx'
import { go, stayBy, useSignInPath } from './features/auth/navigation.tsx'
import { ResetPassword } from './features/auth/ResetPassword.tsx'
import { SignIn } from './features/auth/SignIn.tsx'
import { SigningIn } from './features/auth/SigningIn.tsx'
import { isUnsubscribing, Unsubscribe } from './features/auth/Unsubscribe.tsx'
import { UserSetup } from './features/auth/UserSetup.tsx'
import { leaveBy } from './session.ts'

/**
 * Runs the screens before signing in, without router and query cache, so that they load fast. `showAgain` renders the
 * document's new address.
 */
export function beforeSignIn(showAgain: () => void) {
  leaveBy(go)
  stayBy(showAgain)
  return <Screen />
}

function Screen() {
  const path = useSignInPath()
  if (isUnsubscribing(path)) return <Unsubscribe path={path} />
  if (path === '/user-setup') return <UserSetup />
  if (path === '/join/confirm') return <ConfirmApplication />
  if (path === '/auth/reset-password') return <ResetPassword />
  if (path === '/auth/oidc') return <SigningIn />
  return <SignIn />
}
