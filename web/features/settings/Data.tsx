import { useEffect, useRef } from 'react'
import type { Account } from '#contract/accounts.ts'
import { ESTIMATED_BYTES, exportAccount } from '#contract/data-transfer.ts'
import { createImport } from '#contract/imports.ts'
import { formatBytes } from '../../format.ts'
import { type Downloading, useDownload } from '../../lists/downloads.ts'
import { saveDownload } from '../../lists/save-download.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { Button } from '../../ui/Button.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { formWords } from '../../words/forms.ts'
import { settingsWords } from '../../words/settings.ts'
import { pageWords } from '../../words/shell.ts'

const ErasedPeople = lazyComponent(async () => (await import('./ErasedPeople.tsx')).ErasedPeople)

const Retention = lazyComponent(async () => (await import('./Retention.tsx')).Retention)

const included = ['people', 'money', 'settings', 'doors', 'figures'] as const
const left = ['bank', 'keys', 'secrets', 'logins'] as const

/** Exports all data of the account as one file, for archiving or moving elsewhere. */
export function Data({ account }: { account: Account }) {
  const { running, failure } = useExport(account.id)
  const may = usePermission()
  const box = useRef<HTMLDivElement>(null)
  const isRunning = running !== undefined
  const wasRunning = useRef(isRunning)
  // the pressed button is replaced when the state changes: this keeps keyboard focus in place
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (isLost && wasRunning.current !== isRunning) box.current?.focus({ preventScroll: true })
    wasRunning.current = isRunning
  }, [isRunning])
  return (
    <>
      <TwoColumns
        form
        aside={
          <>
            <List
              heading={settingsWords.export.included}
              items={included.map((key) => settingsWords.export.includes[key])}
            />
            <List heading={settingsWords.export.left} items={left.map((key) => settingsWords.export.leaves[key])} />
          </>
        }
      >
        {may(createImport) && (
          <Panel heading={settingsWords.import.heading}>
            <div className="stack inset">
              <p className="muted">{settingsWords.import.text}</p>
              <div>
                <LinkButton to="/account/import">{pageWords.import}</LinkButton>
              </div>
            </div>
          </Panel>
        )}
        <Panel heading={settingsWords.export.heading}>
          <div ref={box} tabIndex={-1} className="stack inset">
            <p className="muted">{settingsWords.export.text}</p>
            <OnlyRead needs={exportAccount} />
            {failure && <Message kind="error">{failure.message}</Message>}
            {running ? (
              <Running {...running} />
            ) : (
              <div>
                <Button
                  look="primary"
                  needs={exportAccount}
                  icon={<DownloadIcon size={16} />}
                  onClick={() => startExport(account.id)}
                >
                  {settingsWords.export.start}
                </Button>
              </div>
            )}
          </div>
        </Panel>
      </TwoColumns>
      <Retention account={account} />
      <ErasedPeople account={account} />
    </>
  )
}

function Running({ bytes, headers, cancel }: Downloading) {
  // the size is an estimate, so 100 % is shown only at the end
  const estimated = Number(headers?.get(ESTIMATED_BYTES)) || Infinity
  const percent = Math.min(99, Math.floor((100 * bytes) / estimated))
  return (
    <>
      <ProgressBar label={settingsWords.export.running} done={percent} total={100} />
      <div className="row between">
        <span>
          {bytes > 0 ? settingsWords.export.received({ size: formatBytes(bytes) }) : settingsWords.export.preparing}
        </span>
        <Button small onClick={cancel}>
          {formWords.cancel}
        </Button>
      </div>
      <p className="muted small">{settingsWords.export.stays}</p>
    </>
  )
}

function List({ heading, items }: { heading: string; items: string[] }) {
  return (
    <Panel heading={heading}>
      <ul className="stack gap-2 inset">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Panel>
  )
}

const keyOf = (accountId: string) => `export ${accountId}`

/** The running export of this account, and why the last one failed. */
const useExport = (accountId: string) => useDownload(keyOf(accountId))

/** Downloads the account's data and saves the file; a toast reports the end on any screen. */
async function startExport(accountId: string) {
  const input = { params: { id: accountId } }
  const { file, canceled } = await saveDownload(keyOf(accountId), exportAccount, input, 'tributary-export.zip')
  if (file) showToast(settingsWords.export.done({ size: formatBytes(file.size) }))
  if (canceled) showToast(settingsWords.export.canceled)
}
