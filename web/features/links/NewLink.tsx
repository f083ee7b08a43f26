import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { createLinkBlueprint } from '#contract/links.ts'
import { useCall } from '../../calls.ts'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { useAccount } from '../../shell/current.ts'
import { LinkForm, useLeave } from './LinkForm.tsx'
import { changed } from './queries.ts'

export function NewLink() {
  const account = useAccount() as Account
  const leave = useLeave()
  const save = useCall(createLinkBlueprint, {
    refresh: changed,
    onSuccess: ({ id }) => {
      toast(t('toast.added', { resource: t('links.resource') }))
      return leave(id)
    },
  })
  const heading = t('pages.addLink')
  return (
    <Page heading={heading} parent={<Link to="/links">{t('pages.links')}</Link>}>
      <LinkForm
        heading={heading}
        submit={heading}
        linkKey={null}
        initial={{
          name: '',
          destinationUrl: '',
          parameterName: 'ref',
          cookieDays: 90,
          attributionModel: account.attributionModel,
          enabled: true,
          passthroughQuery: true,
          utm: { source: '', medium: '', campaign: '', term: '', content: '' },
          commissionSettings: null,
        }}
        save={save}
        cancel={{ to: '/links' }}
        onSubmit={(body) => save.mutate({ params: { id: account.id }, body })}
      />
    </Page>
  )
}
