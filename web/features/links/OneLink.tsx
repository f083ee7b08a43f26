import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LinkBlueprint } from '#contract/links.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { t } from '../../words.ts'
import { blueprint } from './queries.ts'

type Props = { id: string; heading: string; shape: 'form' | 'detail'; children: (link: LinkBlueprint) => ReactNode }

export const OneLink = ({ id, ...page }: Props) => (
  <ThingPage
    {...page}
    query={blueprint(id)}
    parent={<Link to="/links">{t('pages.links')}</Link>}
    gone={t('links.gone')}
  />
)
