import { Module } from '@nestjs/common';
import { Scripts } from './scripts.js';
import { ScriptsController } from './scripts.controller.js';

@Module({ controllers: [ScriptsController], providers: [Scripts] })
export class WidgetsModule {}
