/**
 * The left arm of PAL Robotics' Talos with its gripper: masses, inertias and places as published in PAL's talos_data and in the package of
 * robot descriptions that Crocoddyl's examples use (talos_left_arm.urdf). The shoulder's first link is the base.
 */
import { parseUrdf } from '../../src/io.js';
import { buildModel, type Model } from '../../src/model.js';
import { describeRobot, type JointRow, type LinkRow } from './describe-robot.js';

const LINKS: readonly LinkRow[] = [
  ['1', 1.42896, '-0.01346 0.0913 0.04812', '0.005551 -0.000731 8e-06 0.001673 -6e-05 0.005822'],
  ['2', 1.67729, '0.02607 0.00049 -0.05209', '0.007087 -1.4e-05 0.002142 0.007936 3e-05 0.003788'],
  ['3', 1.47029, '0.00841 0.01428 -0.22291', '0.004332 0.000153 -0.000496 0.00434 -0.000609 0.002543'],
  ['4', 1.10216, '-0.00655 -0.02107 -0.02612', '0.002217 -0.000101 0.000288 0.002418 -0.000393 0.001115'],
  ['5', 1.77792, '-6e-05 0.00326 0.07963', '0.003495 -1.3e-05 -1e-05 0.004368 9.7e-05 0.002283'],
  ['6', 0.30931, '2e-05 -0.00197 -0.00059', '0.000107 0 0 0.000141 0 0.000154'],
  ['7', 0.308441, '0.007525 0.001378 -0.02463', '0.000309 2e-06 -2e-06 0.000219 1.2e-05 0.000176'],
  ['wrist_ft', 0.1, '0 0 0', '0 0 0 0 0 0'],
  ['wrist_ft_tool', 0.1, '0 0 0', '0 0 0 0 0 0'],
  ['gripper_base', 0.61585, '-0.00534 0.00362 -0.02357', '0.000472 -8e-06 3.5e-05 0.000521 0 0.00069'],
  ['gripper_motor_double', 0.16889, '0.0227 0.01781 -0.00977', '0.001159 -7e-05 3.8e-05 0.001221 -5.3e-05 0.001268'],
  ['gripper_inner_double', 0.11922, '-0.00056 0.03358 -0.01741', '9.1e-05 1e-06 -1e-06 0.000156 -3.2e-05 0.000126'],
  ['gripper_fingertip_1', 0.0263, '0 0.0046 -0.00254', '8e-06 0 0 9e-06 1e-06 2e-06'],
  ['gripper_fingertip_2', 0.0263, '0 0.0046 -0.00254', '8e-06 0 0 9e-06 1e-06 2e-06'],
  ['gripper_motor_single', 0.14765, '0.02589 -0.01284 -0.0064', '0.000115 5.2e-05 2.5e-05 0.000153 3.4e-05 0.00019'],
  ['gripper_inner_single', 0.05356, '0 -0.03253 -0.01883', '4.7e-05 0 0 3.5e-05 1.7e-05 2.4e-05'],
  ['gripper_fingertip_3', 0.0263, '0 0.0046 -0.00254', '8e-06 0 0 9e-06 1e-06 2e-06'],
];

const JOINTS: readonly JointRow[] = [
  ['j_2', 'revolute', '1', '2', '0.00493 0.1365 0.04673', '0 0 0', '1 0 0'],
  ['j_3', 'revolute', '2', '3', '0 0 0', '0 0 0', '0 0 1'],
  ['j_4', 'revolute', '3', '4', '0.02 0 -0.273', '0 0 0', '0 1 0'],
  ['j_5', 'revolute', '4', '5', '-0.02 0 -0.2643', '0 0 0', '0 0 1'],
  ['j_6', 'revolute', '5', '6', '0 0 0', '0 0 0', '1 0 0'],
  ['j_7', 'revolute', '6', '7', '0 0 0', '0 0 0', '0 1 0'],
  ['j_wrist_ft', 'fixed', '7', 'wrist_ft', '0 0 -0.051', '0 0 -4.71238898038', '1 0 0'],
  ['j_wrist_tool', 'fixed', 'wrist_ft', 'wrist_ft_tool', '0 0 -0.012725', '0 0 4.71238898038', '1 0 0'],
  ['j_gripper_base', 'fixed', 'wrist_ft_tool', 'gripper_base', '0 0 -0.02875', '0 0 0', '1 0 0'],
  ['gripper', 'revolute', 'gripper_base', 'gripper_motor_double', '0 0.02025 -0.03', '0 0 0', '1 0 0'],
  ['j_gripper_inner_double', 'fixed', 'gripper_base', 'gripper_inner_double', '0 0.00525 -0.05598', '0 0 0', '1 0 0'],
  [
    'j_gripper_fingertip_1',
    'fixed',
    'gripper_inner_double',
    'gripper_fingertip_1',
    '0.032 0.04589 -0.06553',
    '0 0 0',
    '1 0 0',
  ],
  [
    'j_gripper_fingertip_2',
    'fixed',
    'gripper_inner_double',
    'gripper_fingertip_2',
    '-0.032 0.04589 -0.06553',
    '0 0 0',
    '1 0 0',
  ],
  ['j_gripper_motor_single', 'fixed', 'gripper_base', 'gripper_motor_single', '0 -0.02025 -0.03', '0 0 0', '1 0 0'],
  ['j_gripper_inner_single', 'fixed', 'gripper_base', 'gripper_inner_single', '0 -0.00525 -0.05598', '0 0 0', '1 0 0'],
  [
    'j_gripper_fingertip_3',
    'fixed',
    'gripper_inner_single',
    'gripper_fingertip_3',
    '0 -0.04589 -0.06553',
    '0 0 3.14159265359',
    '1 0 0',
  ],
];

/** Seven degrees of freedom: j_2 to j_7, gripper. */
export function createTalosArm(): Model {
  return buildModel(parseUrdf(describeRobot(LINKS, JOINTS)).value!.model).model;
}
