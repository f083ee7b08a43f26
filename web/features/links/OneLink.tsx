import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LinkBlueprint } from '#contract/links.ts'
import { linkBlueprint } from '../../shared/queries.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { t } from '../../words.ts'

type Props = { id: string; heading: string; shape: 'form' | 'detail'; children: (link: LinkBlueprint) => ReactNode }

export const OneLink = ({ id, ...page }: Props) => (
  <ThingPage
    {...page}
    query={linkBlueprint(id)}
    parent={<Link to="/links">{t('pages.links')}</Link>}
    gone={t('links.gone')}
  />
)
