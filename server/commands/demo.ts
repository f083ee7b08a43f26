import type { Define } from './command.ts'
export const define: Define = (program) =>
  program
    .command('demo')
    .description('Start the product in a separate folder with a sample account.')
    .action(async () => {
      await import('../../demo/run.ts')
    })
