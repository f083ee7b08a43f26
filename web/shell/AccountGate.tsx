import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isAtPartner } from '../shared/roles.ts'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { ProgramTitle } from '../ui/Page.tsx'
import { Failed } from '../ui/Panel.tsx'
import { AccountContext, useRole } from './current.ts'
import { DisabledAccount } from './DisabledAccount.tsx'
import { Loader } from './Loader.tsx'
import { accountQuery } from './queries.ts'

const Accent = lazyComponent(async () => (await import('./Accent.tsx')).Accent)

type Props = {
  /** Dialogs that may open above any of the screens. */
  above: ReactNode
}

/** Shows the screens of an account once it is loaded and enabled. */
export function AccountGate({ above }: Props) {
  const role = useRole()
  if (!role || role.type === 'admin') return null
  return <Gate key={role.accountId} accountId={role.accountId} isPartner={isAtPartner(role)} above={above} />
}

function Gate({ accountId, isPartner, above }: Props & { accountId: string; isPartner: boolean }) {
  const { data, error, refetch, isFetching } = useQuery(accountQuery(accountId))
  if (data?.disabledAt) {
    return (
      <div className="centered alone">
        <DisabledAccount supportEmail={data.supportEmail} />
      </div>
    )
  }
  if (data) {
    return (
      <AccountContext value={data}>
        <ProgramTitle value={isPartner ? data.displayName : null}>
          {'accent' in data && data.accent && <Accent color={data.accent} />}
          <Outlet />
          {above}
        </ProgramTitle>
      </AccountContext>
    )
  }
  if (error) {
    return (
      <div className="centered alone">
        <Failed alone onRetry={refetch} busy={isFetching} why={error.message} />
      </div>
    )
  }
  return <Loader />
}
