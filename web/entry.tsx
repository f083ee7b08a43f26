import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { go, useEntryPath } from './features/auth/navigation.tsx'
import { ResetPassword } from './features/auth/ResetPassword.tsx'
import { SignIn } from './features/auth/SignIn.tsx'
import { UserSetup } from './features/auth/UserSetup.tsx'
import { leaveBy } from './session.ts'
import { Look } from './ui/Look.tsx'

/** The screens before signing in, without router and query cache: they load in a moment. */
export function showEntry(root: HTMLElement) {
  leaveBy(go)
  createRoot(root).render(
    <StrictMode>
      <Look>
        <Entry />
      </Look>
    </StrictMode>,
  )
}

function Entry() {
  const path = useEntryPath()
  if (path === '/user-setup') return <UserSetup />
  if (path === '/auth/reset-password') return <ResetPassword />
  return <SignIn />
}
