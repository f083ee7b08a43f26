import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LinkBlueprint } from '#contract/links.ts'
import { PendingPage } from '../../ui/PendingPage.tsx'
import { t } from '../../words.ts'
import { blueprint } from './queries.ts'

type Props = {
  /** While the link is on its way, or is none. */
  heading: string
  shape: 'form' | 'detail'
  children: (blueprint: LinkBlueprint) => ReactNode
}

/** The link that the address names. */
export function OneLink({ heading, shape, children }: Props) {
  const { blueprintId = '' } = useParams({ strict: false })
  const answer = useQuery(blueprint(blueprintId))
  if (answer.data) return children(answer.data)
  const parent = <Link to="/links">{t('pages.links')}</Link>
  return <PendingPage shape={shape} heading={heading} parent={parent} answer={answer} gone={t('links.gone')} />
}
