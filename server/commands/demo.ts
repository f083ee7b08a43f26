import type { Define } from './command.ts'
export const define: Define = (program) =>
  program
    .command('demo')
    .description('Start the product on a folder of its own that is filled with a believable account.')
    .action(async () => {
      await import('../../demo/run.ts')
    })
