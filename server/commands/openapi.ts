import { readConfig } from '../platform/config/config.ts'
import { describeCalls } from '../platform/http/api-docs.ts'
import { createReportAction, type Define } from './command.ts'

export const define: Define = (program) =>
  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of all calls, like GET /api/v1/openapi.json.')
    .action(
      createReportAction(async () => {
        const document = await describeCalls(readConfig(process.env))
        return { lines: [JSON.stringify(document, null, 2)], json: document }
      }),
    )
