import { useQuery } from '@tanstack/react-query'
import type { Role } from '#contract/auth.ts'
import { isAtPartner } from '../shared/roles.ts'
import { Logo } from '../ui/Logo.tsx'
import { ownPath } from '../ui/own-path.ts'
import styles from './ProgramLogo.module.css'
import { accountQuery } from './queries.ts'

/** The logo of the program on its partners' screens, and ours on all others. */
export function ProgramLogo({ role, full }: { role: Role | undefined; full?: boolean | undefined }) {
  const own = useOwnLogo(role)
  return own ?? <Logo full={full} />
}

/** Returns the logo of the partner's program; undefined without one. */
export function useOwnLogo(role: Role | undefined) {
  const accountId = isAtPartner(role) ? role.accountId : ''
  const { data } = useQuery({ ...accountQuery(accountId), enabled: accountId !== '' })
  if (!data || !('logoUrl' in data) || !data.logoUrl) return undefined
  return <img src={ownPath(data.logoUrl)} alt={data.displayName} className={styles.logo} />
}
