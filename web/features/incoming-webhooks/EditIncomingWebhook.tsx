import { Link } from '@tanstack/react-router'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../words.ts'
import { MappingForm } from './MappingForm.tsx'
import { OneIncomingWebhook, toIncomingWebhooks } from './OneIncomingWebhook.tsx'

export function EditIncomingWebhook({ hookId }: { hookId: string }) {
  const heading = t('pages.editIncomingWebhook')
  const detail = { to: '/integrations/incoming-webhooks/$hookId', params: { hookId } } as const
  return (
    <OneIncomingWebhook id={hookId} shape="form" heading={heading}>
      {(webhook) => (
        <Page
          heading={heading}
          parent={[
            toIncomingWebhooks,
            <Link key="webhook" {...detail}>
              {webhook.name}
            </Link>,
          ]}
        >
          <MappingForm webhook={webhook} heading={heading} submit={t('form.saveChanges')} cancel={detail} />
        </Page>
      )}
    </OneIncomingWebhook>
  )
}
