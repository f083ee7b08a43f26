process.env.RUNS ??= '25'
await import('./paddle.test.ts')
