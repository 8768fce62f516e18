/** The script that a worker of the scene pool runs. */
import { createJobHandler } from './answer-jobs.js';
import { listen } from './listen.js';

listen(createJobHandler);
