import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Role } from '#contract/auth.ts'
import { isNotFound } from '../api.ts'
import { rememberRole } from '../shared/roles.ts'
import { Button } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty, Failed, Panel, Skeleton } from '../ui/Panel.tsx'
import { WaitingStats } from '../ui/StatStrip.tsx'
import { TwoColumns } from '../ui/TwoColumns.tsx'
import { basicWords } from '../words/basic.ts'
import { shellWords } from '../words/shell.ts'
import { switcherLabel, useMe, useRole } from './current.ts'

type Props<T> = {
  query: UseQueryOptions<T>
  /** The page's heading until the thing's name is loaded. */
  heading: string
  parent?: ReactNode
  /** Message if the thing does not exist. */
  gone: string
  /** Shape of the skeleton: fields, or figures with details next to them. */
  shape: 'form' | 'detail'
  children: (thing: T) => ReactNode
}

/**
 * The page of the one thing named by its address, detail or form: its skeleton, an error, a notice that it is gone or
 * belongs to another of the user's roles, and then the thing itself.
 */
export function ThingPage<T extends object>({ query, heading, parent, gone, shape, children }: Props<T>) {
  const { data, error, isFetching, refetch } = useQuery(query)
  const other = useOtherRole(data)
  const missing = isNotFound(error)
  if (data && !missing && !other) return children(data)
  return (
    <Page heading={heading} parent={parent}>
      {missing ? (
        <Panel>
          <Failed why={gone} wayOn={<Link to="/">{basicWords.actions.goHome}</Link>} />
        </Panel>
      ) : error && !data ? (
        <Panel>
          <Failed onRetry={refetch} busy={isFetching} why={error.message} />
        </Panel>
      ) : other ? (
        <OtherRole role={other} />
      ) : (
        <Waiting shape={shape} />
      )}
    </Page>
  )
}

function Waiting({ shape }: { shape: 'form' | 'detail' }) {
  if (shape === 'form') {
    return (
      <TwoColumns form aside={null}>
        <Lines rows={8} />
      </TwoColumns>
    )
  }
  return (
    <TwoColumns aside={<Lines rows={6} />}>
      <WaitingStats count={4} />
      <Lines rows={6} />
    </TwoColumns>
  )
}

const Lines = ({ rows }: { rows: number }) => (
  <Panel>
    <Skeleton rows={rows} />
  </Panel>
)

/** Returns the role through which the user sees a thing of an account other than the chosen role's. */
function useOtherRole(thing: object | undefined): Role | undefined {
  const { roles } = useMe()
  const role = useRole()
  const accountId = thing && 'accountId' in thing ? thing.accountId : undefined
  if (accountId === undefined || (role && role.type !== 'admin' && role.accountId === accountId)) return undefined
  return roles.find((other) => other.type !== 'admin' && other.accountId === accountId)
}

/** Offers to switch to the role that a thing belongs to. */
function OtherRole({ role }: { role: Role }) {
  const router = useRouter()
  function change() {
    rememberRole(role)
    router.navigate({ to: '.', search: true, state: (before) => ({ ...before, role }) })
  }
  return (
    <Panel>
      <Empty
        what={shellWords.header.elsewhere}
        action={<Button onClick={change}>{shellWords.header.switchTo({ label: switcherLabel(role) })}</Button>}
      />
    </Panel>
  )
}
