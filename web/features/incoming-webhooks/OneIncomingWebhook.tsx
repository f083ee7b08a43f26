import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncomingWebhook } from '#contract/incoming-webhooks.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { t } from '../../words.ts'
import { sampledWebhook } from './queries.ts'

type Props = { id: string; heading: string; shape: 'form' | 'detail'; children: (hook: IncomingWebhook) => ReactNode }

export const OneIncomingWebhook = ({ id, ...page }: Props) => (
  <ThingPage {...page} query={sampledWebhook(id)} parent={toIncomingWebhooks} gone={t('incomingWebhooks.gone')} />
)

export const toIncomingWebhooks = <Link to="/integrations/incoming-webhooks">{t('pages.incomingWebhooks')}</Link>
