process.env.RUNS ??= '12'
await import('./paddle.test.ts')
