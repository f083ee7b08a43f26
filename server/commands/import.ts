import { statSync } from 'node:fs'
import { importAccount } from '../integrations/data-transfer/import-account.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { countInWords } from '../platform/format-values.ts'
import { type Define, defineReport } from './command.ts'
import { withInstall } from './install.ts'

export const define: Define = (program) =>
  defineReport<{ invitePartners?: boolean }>(
    program
      .command('import')
      .description('Import an account exported by another server of the same release, all or nothing.')
      .argument('<file>', 'the zip')
      .option('--invite-partners', 'invite partners again who had been invited before'),
    ([file = ''], { invitePartners = false }, tell) =>
      withInstall(async ({ config, db, secrets }) => {
        if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new StartRefusal(`There is no file ${file}.`)
        const onTable = (name: string, rows: number) => rows > 0 && tell(`${name}: ${countInWords(rows, 'row')}`)
        const read = await importAccount(db, { config, secrets: await secrets() }, file, { invitePartners, onTable })
        const { account, owner, ledgerDigest, invited, program, renamedPictures } = read
        return {
          lines: [
            `Imported ${account.name ?? 'an account without a name'} (${account.id}). Ledger digest: ${ledgerDigest}`,
            owner ? `${owner.email} is invited to own it.` : 'It has no owner. Assign one under Admin.',
            ...(program
              ? [
                  `The address /join/${program.former} is another account’s here: the program page is at /join/${program.slug}, and its groups’ pages below it.`,
                ]
              : []),
            ...(renamedPictures > 0
              ? [
                  `${countInWords(renamedPictures, 'picture')} got a new address, because another account has the former one.`,
                ]
              : []),
            ...(invitePartners ? [`${countInWords(invited, 'partner')} invited.`] : []),
          ],
          json: { accountId: account.id, ledgerDigest, invited, program, renamedPictures },
        }
      }),
  )
