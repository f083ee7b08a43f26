import { useQuery } from '@tanstack/react-query'
import { downloadNecFile, type NecPreview } from '#features/tax-years/contract.ts'
import { apiQuery } from '../../calls.ts'
import { ToPartner } from '../../shared/links.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { DownloadButton } from '../../ui/DownloadButton.tsx'
import { downloadFile } from '../../ui/download.ts'
import { Message } from '../../ui/Message.tsx'
import { Name } from '../../ui/Name.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { necWords as words } from '../../words/nec-file.ts'

type Props = { accountId: string; year: number; onClose: () => void }

/** The files of a year's 1099-NEC returns: who is missing from them first, then each file. */
export function NecFile({ accountId, year, onClose }: Props) {
  const params = { id: accountId, year: String(year) }
  const answer = useQuery({
    ...apiQuery(downloadNecFile, { params, query: { preview: 'true' } }),
    retry: false,
  })
  const { data } = answer
  const load = (part: number) => () => downloadFile(downloadNecFile, { params, query: { part: String(part) } })
  return (
    <Dialog heading={words.heading({ year })} onClose={onClose} wide>
      <div className="stack">
        {data ? <Preview preview={data} year={year} /> : <Pending answer={answer} rows={4} />}
      </div>
      {data && data.rows > 0 && data.template && (
        <DialogActions>
          {Array.from({ length: data.parts }, (_, at) => at + 1).map((part) => (
            <DownloadButton key={part} load={load(part)} fallback={`1099-nec-${year}-${part}.csv`}>
              {data.parts === 1 ? words.download : words.downloadPart({ part, parts: data.parts })}
            </DownloadButton>
          ))}
        </DialogActions>
      )}
    </Dialog>
  )
}

function Preview({ preview: { rows, parts, template, missing }, year }: { preview: NecPreview; year: number }) {
  return (
    <>
      {missing.length > 0 && (
        <Message kind="warning">
          <strong>{words.missing({ count: missing.length })}</strong>
          <ul className="stack gap-1">
            {missing.map(({ partnerId, partnerName, reason }) => (
              <li key={partnerId} className="row gap-3">
                <ToPartner id={partnerId}>
                  <Name>{partnerName}</Name>
                </ToPartner>
                <span>{words.reasons[reason]}</span>
              </li>
            ))}
          </ul>
        </Message>
      )}
      <p>{rows === 0 ? words.none({ year }) : words.rows({ count: rows, parts })}</p>
      {!template && <p className="muted">{words.noTemplate({ year })}</p>}
      {rows > 0 && template && <p className="muted">{words.upload}</p>}
    </>
  )
}
