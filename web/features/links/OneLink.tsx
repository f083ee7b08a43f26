import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LinkBlueprint } from '#contract/links.ts'
import { CallError } from '../../api.ts'
import { Page } from '../../ui/Page.tsx'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import { blueprint } from './queries.ts'

type Props = {
  /** While the link is on its way, or is none. */
  heading: string
  children: (blueprint: LinkBlueprint) => ReactNode
}

/** The link that the address names. */
export function OneLink({ heading, children }: Props) {
  const { blueprintId = '' } = useParams({ strict: false })
  const { data, error, refetch, isFetching } = useQuery(blueprint(blueprintId))
  if (data) return children(data)
  const gone = error instanceof CallError && error.status === 404
  return (
    <Page heading={heading} parent={<Link to="/links">{t('pages.links')}</Link>}>
      <Panel>
        {error ? (
          <Failed onRetry={refetch} busy={isFetching} why={gone ? t('links.gone') : error.message} />
        ) : (
          <Skeleton rows={8} />
        )}
      </Panel>
    </Page>
  )
}
