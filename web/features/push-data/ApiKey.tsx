import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, renewApiKey } from '#contract/accounts.ts'
import { useCall } from '../../calls.ts'
import { account as accountQuery } from '../../shell/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { CopyField, SecretField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { baseUrl } from './base-url.ts'
import styles from './PushData.module.css'
import { TestRequest } from './TestRequest.tsx'

/** The account's API key and its base URL. */
export function ApiKey({ account: { id, apiKey } }: { account: Account }) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const renew = useCall(renewApiKey, {
    onSuccess: (changed) => {
      client.setQueryData(accountQuery(id).queryKey, changed)
      setAsking(false)
      toast(t('pushData.generated'))
    },
  })
  const generate = () => renew.mutate({ params: { id } })
  return (
    <Panel heading={t('pushData.keyHeading')}>
      <div className={styles.stack}>
        {apiKey ? (
          <SecretField label={t('pushData.apiKey')} value={apiKey} help={t('pushData.keyHelp')}>
            <Button onClick={() => setAsking(true)}>{t('pushData.generate')}</Button>
          </SecretField>
        ) : (
          <>
            <p>{t('pushData.noKey')}</p>
            {renew.error && <Message kind="error">{explainRefusal(renew.error)}</Message>}
            <div>
              <Button look="primary" busy={renew.busy} onClick={generate}>
                {t('pushData.generate')}
              </Button>
            </div>
          </>
        )}
        <CopyField label={t('pushData.baseUrl')} value={baseUrl()} copyLabel={t('pushData.copyBaseUrl')} />
        {apiKey && <TestRequest key={apiKey} apiKey={apiKey} />}
        {asking && (
          <Confirm
            danger
            heading={t('pushData.generateHeading')}
            confirm={t('pushData.generate')}
            call={renew}
            onConfirm={generate}
            onClose={() => setAsking(false)}
          >
            {t('pushData.generateText')}
          </Confirm>
        )}
      </div>
    </Panel>
  )
}
