# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Bare Arm, with the GNU compiler (Debian: gcc-arm-none-eabi, libstdc++-arm-none-eabi-dev).
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # nothing links before there is a linker script
set(CMAKE_CXX_FLAGS_INIT "-ffreestanding -fno-exceptions -fno-rtti")
