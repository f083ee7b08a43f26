import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Role } from '#contract/users.ts'
import { rememberRole } from '../../roles.ts'
import { Button } from '../../ui/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import { labelOf, useMe, useRole } from '../../shell/current.ts'

/** The role through which the user sees a thing of this account, where it is not the chosen one. */
export function useOtherRole(accountId: string | undefined): Role | undefined {
  const { roles } = useMe()
  const role = useRole()
  if (accountId === undefined || (role && role.type !== 'admin' && role.accountId === accountId)) return undefined
  return roles.find((other) => other.type !== 'admin' && other.accountId === accountId)
}

type Props = { heading: string; parent?: ReactNode; role: Role }

/** Stands for a thing of another of the user's roles, and offers that role. */
export function OtherRole({ heading, parent, role }: Props) {
  const router = useRouter()
  function change() {
    rememberRole(role)
    router.navigate({ to: '.', search: true as never, state: (before) => ({ ...before, role }) })
  }
  return (
    <Page heading={heading} parent={parent}>
      <Panel>
        <Empty
          what={t('header.elsewhere')}
          action={<Button onClick={change}>{t('header.switchTo', { label: labelOf(role) })}</Button>}
        />
      </Panel>
    </Page>
  )
}
